// A peer in Go: net/http and database/sql, with prepared statements. For Debian's packages, see ../../servers.ts.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
)

// Handles a request whose path is collections and ids in turn. An error of the type failure has its own response.
func (s *store) handle(r *http.Request) (status int, body any, err error) {
	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	route := r.Method
	for n, part := range path {
		if n%2 == 0 {
			route += " " + part
		} else if err := checkID("path", strings.TrimSuffix(path[n-1], "s")+"_id", part); err != nil {
			return 0, nil, err
		}
	}
	if len(path)%2 == 0 {
		route += " id"
	}
	switch route {
	case "GET teams id":
		found := team{}
		err := s.team.QueryRow(path[1]).Scan(&found.ID, &found.Name)
		return http.StatusOK, found, notFoundWithoutRows(err, "Team")
	case "POST teams":
		var body struct{ Name string }
		if err := readBody(r, &body); err != nil {
			return 0, nil, err
		}
		if len([]rune(body.Name)) > 100 {
			return 0, nil, invalid("body", "name", "Expected at most 100 characters")
		}
		created := team{newID("team"), body.Name}
		_, err := s.addTeam.Exec(created.ID, created.Name)
		return http.StatusCreated, created, err
	case "GET users":
		teamID := r.URL.Query().Get("team_id")
		if teamID == "" {
			list, err := readUsers(s.allUsers, s.allRoles)
			return http.StatusOK, list, err
		}
		if err := checkID("query", "team_id", teamID); err != nil {
			return 0, nil, err
		}
		list, err := readUsers(s.members, s.membersRoles, teamID)
		return http.StatusOK, list, err
	case "GET users id":
		return s.respondWithUser(http.StatusOK, path[1], nil)
	case "POST users":
		return s.register(r)
	case "PATCH users id":
		var change struct {
			Name   *string
			TeamID *string `json:"team_id"`
		}
		if err := readBody(r, &change); err != nil {
			return 0, nil, err
		}
		if change.TeamID != nil {
			if err := checkID("body", "team_id", *change.TeamID); err != nil {
				return 0, nil, err
			}
		}
		_, err := s.setUser.Exec(change.Name, change.TeamID, path[1])
		return s.respondWithUser(http.StatusOK, path[1], err)
	case "POST users roles id":
		_, err := s.addRole.Exec(path[1], path[3])
		return s.respondWithUser(http.StatusOK, path[1], err)
	}
	return 0, nil, notFound("Route")
}

func (s *store) register(r *http.Request) (int, any, error) {
	var body struct {
		Email, Name, Password string
		TeamID                *string `json:"team_id"`
	}
	if err := readBody(r, &body); err != nil {
		return 0, nil, err
	}
	if !strings.Contains(body.Email, "@") || body.Password == "" {
		return 0, nil, invalid("body", "email", "Expected an e-mail address and a password")
	}
	id := newID("user")
	email := strings.ToLower(body.Email)
	_, err := s.addUser.Exec(id, body.Email, email, body.Name, hash(body.Password), body.TeamID)
	return s.respondWithUser(http.StatusCreated, id, err)
}

// Responds with a user after a write, unless the write has failed.
func (s *store) respondWithUser(status int, id string, err error) (int, any, error) {
	if err != nil {
		return 0, nil, err
	}
	found, err := s.findUser(id)
	return status, found, notFoundWithoutRows(err, "User")
}

var requestID = regexp.MustCompile(`^[\w.:-]{1,64}$`)

func (s *store) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	headers := w.Header()
	headers.Set("Content-Type", "application/json")
	headers.Set("Cache-Control", "no-store")
	headers.Set("X-Content-Type-Options", "nosniff")
	given := r.Header.Get("X-Request-Id")
	if !requestID.MatchString(given) {
		given = newID("request")
	}
	headers.Set("X-Request-Id", given)

	status, body, err := s.handle(r)
	if failed, ok := err.(failure); ok {
		status, body = failed.status, failed.body
	} else if err != nil {
		log.Print(err)
		status, body = http.StatusInternalServerError, map[string]string{"detail": "Internal Server Error"}
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		panic(err)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(strings.TrimSuffix(text.String(), "\n")))
}

func main() {
	store := openStore(os.Getenv("DATABASE_URL"))
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), store))
}
