// A handwritten server: axum and SQLite, one flush for the creates that arrive together, without keys, limits or a log.
// Run: cargo run --release -- PORT FILE
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::{Connection, Row, params};
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

const SCHEMA: &str = "
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS pets (id INTEGER PRIMARY KEY, status TEXT NOT NULL, json TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);";
const STATUSES: [&str; 3] = ["available", "pending", "sold"];
const GROUP_MAX: usize = 256;

#[derive(Serialize, Deserialize)]
struct Named {
    name: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Pet {
    #[serde(default)]
    id: i64,
    name: String,
    #[serde(default = "available")]
    status: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<Named>,
    #[serde(default)]
    tags: Vec<Named>,
    photo_urls: Vec<String>,
}

fn available() -> String {
    "available".into()
}

#[derive(Deserialize)]
struct ByStatus {
    status: String,
}

type Creation = (Pet, oneshot::Sender<rusqlite::Result<Pet>>);

#[derive(Clone)]
struct Store {
    file: Arc<str>,
    creations: Sender<Creation>,
}

thread_local! {
    static READER: RefCell<Option<Connection>> = const { RefCell::new(None) };
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let (port, file) = (&arguments[1], &arguments[2]);
    let writer = Connection::open(file).expect("the database opens");
    writer.execute_batch(SCHEMA).expect("the schema is created");
    let (creations, waiting) = channel();
    std::thread::spawn(move || commit_groups(writer, waiting));
    let store = Store {
        file: file.as_str().into(),
        creations,
    };
    let app = Router::new()
        .route("/livez", get(|| async { Json(serde_json::json!({})) }))
        .route("/pet", post(create))
        .route("/pet/findByStatus", get(list))
        .route("/pet/{id}", get(read))
        .with_state(store);
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}"))
        .await
        .expect("the port is free");
    axum::serve(listener, app).await.expect("the server runs");
}

async fn read(State(store): State<Store>, Path(id): Path<i64>) -> Result<Json<Pet>, StatusCode> {
    let found = with_reader(&store, |db| {
        db.prepare_cached("SELECT id, json FROM pets WHERE id = ?")?
            .query_row(params![id], show)
    });
    found.map(Json).map_err(|_| StatusCode::NOT_FOUND)
}

async fn list(
    State(store): State<Store>,
    Query(by): Query<ByStatus>,
) -> Result<Json<Vec<Pet>>, StatusCode> {
    let found = with_reader(&store, |db| {
        db.prepare_cached("SELECT id, json FROM pets WHERE status = ? ORDER BY id DESC LIMIT 100")?
            .query_map(params![by.status], show)?
            .collect()
    });
    found
        .map(Json)
        .map_err(|_| StatusCode::INTERNAL_SERVER_ERROR)
}

async fn create(State(store): State<Store>, Json(pet): Json<Pet>) -> Result<Json<Pet>, StatusCode> {
    if pet.name.is_empty() || !STATUSES.contains(&pet.status.as_str()) {
        return Err(StatusCode::UNPROCESSABLE_ENTITY);
    }
    let (done, created) = oneshot::channel();
    let failed = StatusCode::INTERNAL_SERVER_ERROR;
    store.creations.send((pet, done)).map_err(|_| failed)?;
    created
        .await
        .map_err(|_| failed)?
        .map(Json)
        .map_err(|_| failed)
}

fn show(row: &Row) -> rusqlite::Result<Pet> {
    let text: String = row.get(1)?;
    let mut pet: Pet = serde_json::from_str(&text).expect("the store contains pets");
    pet.id = row.get(0)?;
    Ok(pet)
}

fn with_reader<T>(
    store: &Store,
    ask: impl FnOnce(&Connection) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    READER.with_borrow_mut(|reader| {
        if reader.is_none() {
            *reader = Some(Connection::open(&*store.file)?);
        }
        ask(reader.as_ref().expect("the reader is open"))
    })
}

fn commit_groups(mut db: Connection, waiting: Receiver<Creation>) {
    while let Ok(first) = waiting.recv() {
        let mut group = vec![first];
        group.extend(waiting.try_iter().take(GROUP_MAX - 1));
        let ids = commit(&mut db, &group).map_err(|error| eprintln!("{error}"));
        for (index, (mut pet, done)) in group.into_iter().enumerate() {
            let outcome = match &ids {
                Ok(ids) => {
                    pet.id = ids[index];
                    Ok(pet)
                }
                Err(()) => Err(rusqlite::Error::InvalidQuery),
            };
            let _ = done.send(outcome);
        }
    }
}

fn commit(db: &mut Connection, group: &[Creation]) -> rusqlite::Result<Vec<i64>> {
    let tx = db.transaction()?;
    let mut ids = Vec::with_capacity(group.len());
    for (pet, _) in group {
        let text = serde_json::to_string(pet).expect("a pet is JSON");
        tx.prepare_cached("INSERT INTO pets (status, json) VALUES (?, ?)")?
            .execute(params![pet.status, text])?;
        ids.push(tx.last_insert_rowid());
    }
    tx.commit()?;
    Ok(ids)
}
