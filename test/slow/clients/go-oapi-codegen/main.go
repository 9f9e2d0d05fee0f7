// Calls the nineteen classic operations with the client oapi-codegen writes, and prints the names of those that succeeded.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"os"

	"petstore.example/all/petstore"
)

type response interface{ StatusCode() int }

var done = []string{}

func note(operation string, answered response, err error) {
	if err != nil {
		panic(err)
	}
	if answered.StatusCode() != http.StatusOK {
		panic(fmt.Sprintf("%s: %d", operation, answered.StatusCode()))
	}
	done = append(done, operation)
}

func main() {
	ctx := context.Background()
	key := func(_ context.Context, request *http.Request) error {
		request.Header.Set("api_key", os.Args[2])
		return nil
	}
	client, err := petstore.NewClientWithResponses(os.Args[1], petstore.WithRequestEditorFn(key))
	if err != nil {
		panic(err)
	}
	text := func(value string) *string { return &value }
	var id, orderId int64 = 4712, 4712

	added, err := client.AddPetWithResponse(ctx, &petstore.AddPetParams{}, petstore.PetDraft{Id: &id, Name: "Rex", PhotoUrls: []string{}})
	note("addPet", added, err)
	replacement := petstore.PetReplacement{Id: id, Name: "Max", PhotoUrls: []string{}}
	updated, err := client.UpdatePetWithResponse(ctx, &petstore.UpdatePetParams{}, replacement)
	note("updatePet", updated, err)
	statuses := []petstore.PetStatus{"available", "sold"}
	byStatus, err := client.FindPetsByStatusWithResponse(ctx, &petstore.FindPetsByStatusParams{Status: &statuses})
	note("findPetsByStatus", byStatus, err)
	byTags, err := client.FindPetsByTagsWithResponse(ctx, &petstore.FindPetsByTagsParams{Tags: []string{"friendly", "small"}})
	note("findPetsByTags", byTags, err)
	read, err := client.GetPetByIdWithResponse(ctx, id, &petstore.GetPetByIdParams{})
	note("getPetById", read, err)
	if read.JSON200.Name != "Max" {
		panic(read.JSON200.Name)
	}
	form := petstore.UpdatePetWithFormFormdataRequestBody{Name: text("Moritz")}
	renamed, err := client.UpdatePetWithFormWithFormdataBodyWithResponse(ctx, id, &petstore.UpdatePetWithFormParams{}, form)
	note("updatePetWithForm", renamed, err)
	contentType, body := upload()
	uploaded, err := client.UploadFileWithBodyWithResponse(ctx, id, &petstore.UploadFileParams{}, contentType, body)
	note("uploadFile", uploaded, err)
	inventory, err := client.GetInventoryWithResponse(ctx)
	note("getInventory", inventory, err)
	order := petstore.OrderDraft{Id: &orderId, PetId: id}
	placed, err := client.PlaceOrderWithResponse(ctx, &petstore.PlaceOrderParams{}, order)
	note("placeOrder", placed, err)
	found, err := client.GetOrderByIdWithResponse(ctx, orderId)
	note("getOrderById", found, err)
	cancelled, err := client.DeleteOrderWithResponse(ctx, orderId)
	note("deleteOrder", cancelled, err)
	deleted, err := client.DeletePetWithResponse(ctx, id, &petstore.DeletePetParams{})
	note("deletePet", deleted, err)

	user := petstore.UserDraft{Username: "oapi", Password: "correct horse"}
	registered, err := client.CreateUserWithResponse(ctx, user)
	note("createUser", registered, err)
	listed, err := client.CreateUsersWithListInputWithResponse(ctx, []petstore.UserDraft{{Username: "oapi2", Password: "correct horse"}})
	note("createUsersWithListInput", listed, err)
	session, err := client.LoginUserWithResponse(ctx, &petstore.LoginUserParams{Username: "oapi", Password: "correct horse"})
	note("loginUser", session, err)
	known, err := client.GetUserByNameWithResponse(ctx, "oapi")
	note("getUserByName", known, err)
	changed, err := client.UpdateUserWithResponse(ctx, "oapi", petstore.UserReplacement{FirstName: text("Ada")})
	note("updateUser", changed, err)
	gone, err := client.DeleteUserWithResponse(ctx, "oapi", petstore.UserDeletion{})
	note("deleteUser", gone, err)
	out, err := client.LogoutUserWithResponse(ctx)
	note("logoutUser", out, err)

	if err := json.NewEncoder(os.Stdout).Encode(done); err != nil {
		panic(err)
	}
}

// A form with a GIF of one transparent pixel.
func upload() (string, *bytes.Buffer) {
	image := []byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x01D\x00;")
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("file", "photo.gif")
	if err != nil {
		panic(err)
	}
	if _, err := part.Write(image); err != nil {
		panic(err)
	}
	form.Close()
	return form.FormDataContentType(), &body
}
