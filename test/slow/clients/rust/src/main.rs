//! Calls the classic operations with the client openapi-generator writes, and prints the names of those that succeeded.

use openapi::apis::{configuration::{ApiKey, Configuration}, pet_api, store_api, user_api};
use openapi::models::{OrderDraft, PetDraft, PetReplacement, PetStatus, UserDeletion, UserDraft, UserReplacement};
use std::error::Error;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let given: Vec<String> = std::env::args().collect();
    let client = Configuration {
        base_path: given[1].clone(),
        api_key: Some(ApiKey { prefix: None, key: given[2].clone() }),
        ..Configuration::default()
    };
    let id = 4714;
    let mut done = Vec::new();
    let mut note = |operation: &'static str| done.push(operation);

    let draft = PetDraft { id: Some(id), ..PetDraft::new("Rex".into(), vec![]) };
    pet_api::add_pet(&client, draft, None).await?;
    note("addPet");
    pet_api::update_pet(&client, PetReplacement::new(id, "Max".into(), vec![]), None).await?;
    note("updatePet");
    let statuses = Some(vec![PetStatus::Available, PetStatus::Sold]);
    pet_api::find_pets_by_status(&client, statuses, None, None).await?;
    note("findPetsByStatus");
    pet_api::find_pets_by_tags(&client, vec!["friendly".into(), "small".into()], None, None).await?;
    note("findPetsByTags");
    assert_eq!(pet_api::get_pet_by_id(&client, id, None).await?.name, "Max");
    note("getPetById");
    let renamed = pet_api::update_pet_with_form(&client, id, None, None, None, Some("Moritz"), Some("available")).await?;
    assert_eq!(renamed.name, "Moritz");
    note("updatePetWithForm");
    store_api::get_inventory(&client).await?;
    note("getInventory");
    store_api::place_order(&client, OrderDraft { id: Some(id), ..OrderDraft::new(id) }, None).await?;
    note("placeOrder");
    store_api::get_order_by_id(&client, id).await?;
    note("getOrderById");
    store_api::delete_order(&client, id).await?;
    note("deleteOrder");
    pet_api::delete_pet(&client, id, None).await?;
    note("deletePet");

    let password = || "correct horse".to_string();
    user_api::create_user(&client, UserDraft::new("rust".into(), password())).await?;
    note("createUser");
    user_api::create_users_with_list_input(&client, vec![UserDraft::new("rust2".into(), password())]).await?;
    note("createUsersWithListInput");
    user_api::login_user(&client, "rust", &password()).await?;
    note("loginUser");
    user_api::get_user_by_name(&client, "rust").await?;
    note("getUserByName");
    let change = UserReplacement { first_name: Some("Ada".into()), ..UserReplacement::new() };
    user_api::update_user(&client, "rust", change).await?;
    note("updateUser");
    user_api::delete_user(&client, "rust", Some(UserDeletion::new())).await?;
    note("deleteUser");
    user_api::logout_user(&client).await?;
    note("logoutUser");

    println!("{}", serde_json::to_string(&done)?);
    Ok(())
}
