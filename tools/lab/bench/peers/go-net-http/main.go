// A peer in Go: net/http and database/sql, with prepared statements. For Debian's packages, see ../../servers.ts.
package main

import (
	"database/sql"
	"encoding/json"
	"log"
	"net/http"
	"os"
	"regexp"
	"strings"
)

type server struct{ *store }

func (s server) teams(r *http.Request, path []string) (int, any, error) {
	switch {
	case r.Method == "GET" && len(path) == 2:
		if err := checkID("path", "team_id", path[1]); err != nil {
			return 0, nil, err
		}
		found, err := s.findTeam(path[1])
		if err == sql.ErrNoRows {
			err = notFound("Team")
		}
		return http.StatusOK, found, err
	case r.Method == "POST" && len(path) == 1:
		var body struct{ Name string }
		if err := readBody(r, &body); err != nil {
			return 0, nil, err
		}
		if len([]rune(body.Name)) > 100 {
			return 0, nil, invalid("body", "name", "Expected at most 100 characters")
		}
		created := team{newID("team"), body.Name}
		return http.StatusCreated, created, s.insertTeam(created)
	}
	return 0, nil, notFound("Route")
}

func (s server) users(r *http.Request, path []string) (int, any, error) {
	for n, value := range path[1:] {
		if field := map[int]string{0: "user_id", 2: "role_id"}[n]; field != "" {
			if err := checkID("path", field, value); err != nil {
				return 0, nil, err
			}
		}
	}
	switch {
	case r.Method == "GET" && len(path) == 1:
		teamID := r.URL.Query().Get("team_id")
		if teamID == "" {
			list, err := s.listUsers()
			return http.StatusOK, list, err
		}
		if err := checkID("query", "team_id", teamID); err != nil {
			return 0, nil, err
		}
		list, err := s.listMembers(teamID)
		return http.StatusOK, list, err
	case r.Method == "GET" && len(path) == 2:
		return s.respondWithUser(http.StatusOK, path[1])
	case r.Method == "POST" && len(path) == 1:
		return s.register(r)
	case r.Method == "PATCH" && len(path) == 2:
		var body struct {
			Name   *string
			TeamID *string `json:"team_id"`
		}
		if err := readBody(r, &body); err != nil {
			return 0, nil, err
		}
		if body.TeamID != nil {
			if err := checkID("body", "team_id", *body.TeamID); err != nil {
				return 0, nil, err
			}
		}
		if err := s.changeUser(path[1], body.Name, body.TeamID); err != nil {
			return 0, nil, err
		}
		return s.respondWithUser(http.StatusOK, path[1])
	case r.Method == "POST" && len(path) == 4 && path[2] == "roles":
		if err := s.assignRole(path[1], path[3]); err != nil {
			return 0, nil, err
		}
		return s.respondWithUser(http.StatusOK, path[1])
	}
	return 0, nil, notFound("Route")
}

func (s server) register(r *http.Request) (int, any, error) {
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
	if err := s.insertUser(id, body.Email, body.Name, hash(body.Password), body.TeamID); err != nil {
		return 0, nil, err
	}
	return s.respondWithUser(http.StatusCreated, id)
}

func (s server) respondWithUser(status int, id string) (int, any, error) {
	found, err := s.findUser(id)
	if err == sql.ErrNoRows {
		err = notFound("User")
	}
	return status, found, err
}

var requestID = regexp.MustCompile(`^[\w.:-]{1,64}$`)

func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	headers := w.Header()
	headers.Set("Content-Type", "application/json")
	headers.Set("Cache-Control", "no-store")
	headers.Set("X-Content-Type-Options", "nosniff")
	given := r.Header.Get("X-Request-Id")
	if !requestID.MatchString(given) {
		given = newID("request")
	}
	headers.Set("X-Request-Id", given)

	path := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")
	handle := map[string]func(*http.Request, []string) (int, any, error){"teams": s.teams, "users": s.users}[path[0]]
	status, body, err := 0, any(nil), notFound("Route")
	if handle != nil {
		status, body, err = handle(r, path)
	}
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
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), server{store}))
}
