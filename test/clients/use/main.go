// Uses the client that oapi-codegen has generated.
package main

import (
	"context"
	"encoding/json"
	"log"
	"net/http"
	"os"
)

func try[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	address, email, password := os.Args[1], os.Args[2], os.Args[3]
	ctx := context.Background()
	anonymous := try(NewClientWithResponses(address))
	session := try(anonymous.LoginWithResponse(ctx, LoginBody{Email: email, Password: password}))
	client := try(NewClientWithResponses(address, WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+session.JSON200.Token)
		return nil
	})))
	one := 1
	sort := []ListPartnerGroupsParamsSort{"name", "-code"}
	groups := try(client.ListPartnerGroupsWithResponse(ctx, &ListPartnerGroupsParams{Sort: &sort, Limit: &one}))
	group := groups.JSON200.Data[0].Id
	made := try(client.CreatePartnerWithResponse(ctx, nil, PartnerCreate{Name: "Made by oapi-codegen", GroupId: group}))
	id := made.JSON201.Data.Id
	read := try(client.GetPartnerWithResponse(ctx, id, nil))
	var answer struct{ Data PartnerPatch }
	if err := json.Unmarshal(read.Body, &answer); err != nil {
		log.Fatal(err)
	}
	name, tag := "Changed by oapi-codegen", read.HTTPResponse.Header.Get("ETag")
	answer.Data.Name = &name
	changed := try(client.UpdatePartnerWithResponse(ctx, id, &UpdatePartnerParams{IfMatch: &tag}, answer.Data))
	if changed.JSON200 == nil || changed.JSON200.Data.Name != name {
		log.Fatal("The change: ", string(changed.Body))
	}
	var filter TextFilter
	part := "by oapi-codegen"
	if err := filter.FromTextFilterOperators(TextFilterOperators{Contains: &part}); err != nil {
		log.Fatal(err)
	}
	found := try(client.ListPartnersWithResponse(ctx, &ListPartnersParams{Name: &filter}))
	if len(found.JSON200.Data) != 1 || found.JSON200.Data[0].Id != id {
		log.Fatal("The filter: ", string(found.Body))
	}
	missing := try(client.GetPartnerWithResponse(ctx, group, nil))
	if missing.ApplicationproblemJSON404 == nil {
		log.Fatal("What is not there must be not_found: ", string(missing.Body))
	}
}
