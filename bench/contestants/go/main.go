// A handwritten server: net/http and SQLite, one flush for the creates that arrive together, without keys, limits or a log.
// Run: go run . PORT FILE
package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"

	_ "github.com/mattn/go-sqlite3"
)

const schema = `
CREATE TABLE IF NOT EXISTS pets (id INTEGER PRIMARY KEY, status TEXT NOT NULL, json TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS pets_by_status ON pets (status, id);`

const groupMax = 256

var statuses = map[string]bool{"available": true, "pending": true, "sold": true}

type named struct {
	Name string `json:"name"`
}

type pet struct {
	ID        int64    `json:"id"`
	Name      string   `json:"name"`
	Status    string   `json:"status"`
	Category  *named   `json:"category,omitempty"`
	Tags      []named  `json:"tags"`
	PhotoUrls []string `json:"photoUrls"`
}

type creation struct {
	pet  *pet
	done chan error
}

func main() {
	port, file := os.Args[1], os.Args[2]
	writer := open(file)
	must(writer.Exec(schema))
	reader := open(file)
	read := must(reader.Prepare("SELECT id, json FROM pets WHERE id = ?"))
	list := must(reader.Prepare("SELECT id, json FROM pets WHERE status = ? ORDER BY id DESC LIMIT 100"))
	add := must(writer.Prepare("INSERT INTO pets (status, json) VALUES (?, ?)"))
	creations := make(chan creation, groupMax)
	go commitGroups(writer, add, creations)

	mux := http.NewServeMux()
	mux.HandleFunc("GET /livez", func(w http.ResponseWriter, r *http.Request) { respond(w, http.StatusOK, struct{}{}) })
	mux.HandleFunc("GET /pet/findByStatus", func(w http.ResponseWriter, r *http.Request) {
		rows, err := list.Query(r.URL.Query().Get("status"))
		if err != nil {
			respond(w, http.StatusInternalServerError, err.Error())
			return
		}
		defer rows.Close()
		found := []pet{}
		for rows.Next() {
			each, err := scan(rows)
			if err != nil {
				respond(w, http.StatusInternalServerError, err.Error())
				return
			}
			found = append(found, each)
		}
		respond(w, http.StatusOK, found)
	})
	mux.HandleFunc("GET /pet/{id}", func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.PathValue("id"), 10, 64)
		found, err := scan(read.QueryRow(id))
		if err != nil {
			respond(w, http.StatusNotFound, map[string]string{"message": "Pet not found"})
			return
		}
		respond(w, http.StatusOK, found)
	})
	mux.HandleFunc("POST /pet", func(w http.ResponseWriter, r *http.Request) {
		created := pet{Status: "available", Tags: []named{}}
		if json.NewDecoder(r.Body).Decode(&created) != nil || created.Name == "" || created.PhotoUrls == nil || !statuses[created.Status] {
			respond(w, http.StatusUnprocessableEntity, map[string]string{"message": "Invalid pet"})
			return
		}
		waiting := creation{&created, make(chan error, 1)}
		creations <- waiting
		if err := <-waiting.done; err != nil {
			respond(w, http.StatusInternalServerError, err.Error())
			return
		}
		respond(w, http.StatusOK, created)
	})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, mux))
}

func open(file string) *sql.DB {
	db := must(sql.Open("sqlite3", "file:"+file+"?_journal_mode=WAL&_synchronous=FULL"))
	db.SetMaxOpenConns(1)
	return db
}

func commitGroups(db *sql.DB, add *sql.Stmt, creations <-chan creation) {
	for first := range creations {
		group := []creation{first}
	collect:
		for len(group) < groupMax {
			select {
			case next := <-creations:
				group = append(group, next)
			default:
				break collect
			}
		}
		err := commit(db, add, group)
		for _, each := range group {
			each.done <- err
		}
	}
}

func commit(db *sql.DB, add *sql.Stmt, group []creation) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	inside := tx.Stmt(add)
	for _, each := range group {
		text, err := json.Marshal(each.pet)
		if err != nil {
			return err
		}
		result, err := inside.Exec(each.pet.Status, text)
		if err != nil {
			return err
		}
		each.pet.ID, _ = result.LastInsertId()
	}
	return tx.Commit()
}

func scan(row interface{ Scan(...any) error }) (pet, error) {
	var found pet
	var id int64
	var text []byte
	if err := row.Scan(&id, &text); err != nil {
		return found, err
	}
	err := json.Unmarshal(text, &found)
	found.ID = id
	return found, err
}

func respond(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(body)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
