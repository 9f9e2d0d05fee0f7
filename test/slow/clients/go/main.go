// Creates, reads and deletes a pet with the client openapi-generator writes, and lists events.
package main

import (
	"context"
	"encoding/json"
	"os"

	"petstore.example/client/petstore"
)

func main() {
	configuration := petstore.NewConfiguration()
	configuration.Servers = petstore.ServerConfigurations{{URL: os.Args[1]}}
	client := petstore.NewAPIClient(configuration)
	keys := map[string]petstore.APIKey{"api_key": {Key: os.Args[2]}}
	ctx := context.WithValue(context.Background(), petstore.ContextAPIKeys, keys)

	draft := petstore.NewPetDraft("Rex", []string{})
	draft.SetCategory(*petstore.NewCategoryDraft("Dogs"))
	created, _, err := client.PetAPI.AddPet(ctx).PetDraft(*draft).Execute()
	must(err)
	read, _, err := client.PetAPI.GetPetById(ctx, created.Id).Execute()
	must(err)
	deleted, _, err := client.PetAPI.DeletePet(ctx, created.Id).Execute()
	must(err)
	_, _, absent := client.PetAPI.GetPetById(ctx, created.Id).Execute()
	problem := absent.(*petstore.GenericOpenAPIError).Model().(petstore.Problem)
	events, _, err := client.EventsAPI.ListEvents(ctx).Limit(1000).Execute()
	must(err)

	kinds := []string{}
	for _, event := range events {
		if event.Data["id"] == float64(created.Id) {
			kinds = append(kinds, string(event.Event))
		}
	}
	must(json.NewEncoder(os.Stdout).Encode(map[string]any{
		"name":     created.Name,
		"category": created.Category.Name,
		"status":   read.Status,
		"deleted":  deleted.Message,
		"absent":   problem.Code,
		"kinds":    kinds,
	}))
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
