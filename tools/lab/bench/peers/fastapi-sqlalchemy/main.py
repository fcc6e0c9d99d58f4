"""A peer with common choices: FastAPI, SQLAlchemy's ORM, uvicorn with uvloop and httptools. For Debian's packages."""

import os
import re
import secrets
import time
import uuid
from typing import Optional

import argon2
import uvicorn
from fastapi import FastAPI, HTTPException, Path, Query
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from models import Team, User, insert, new_session, user_roles
from sqlalchemy.orm import Session, joinedload, selectinload


class Response(BaseModel):
    class Config:
        orm_mode = True


class TeamResponse(Response):
    id: str
    name: str


class RoleResponse(Response):
    id: str
    name: str
    description: Optional[str]


class UserResponse(Response):
    id: str
    email: str
    name: str
    team: Optional[TeamResponse]
    roles: list[RoleResponse]


def id_pattern(prefix: str) -> str:
    return "^" + prefix + "-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$"


TEAM, ROLE, USER = id_pattern("team"), id_pattern("role"), id_pattern("user")


class TeamCreate(BaseModel):
    name: str = Field(max_length=100)


class UserCreate(BaseModel):
    email: str = Field(max_length=255, regex=r"^[^@\s]+@[^@\s]+\.[^@\s]+$")
    name: str = Field(max_length=100)
    password: str = Field(min_length=1)
    team_id: Optional[str] = Field(regex=TEAM)


class UserUpdate(BaseModel):
    name: Optional[str] = Field(max_length=100)
    team_id: Optional[str] = Field(regex=TEAM)


def new_id(prefix: str) -> str:
    """A UUID of version 7, which the standard library lacks before Python 3.14."""
    bits = int(time.time() * 1000) << 80 | 7 << 76 | secrets.randbits(12) << 64 | 2 << 62 | secrets.randbits(62)
    return f"{prefix}-{uuid.UUID(int=bits)}"


def find_user(session: Session, user_id: str) -> User:
    query = session.query(User).options(joinedload(User.team), selectinload(User.roles))
    user = query.filter(User.id == user_id).one_or_none()
    if user is None:
        raise HTTPException(404, "User not found")
    return user


class Headers:
    """Adds the headers of every response. Plain ASGI: FastAPI's decorator for middleware starts a task per request."""

    given = re.compile(rb"[\w.:-]{1,64}")

    def __init__(self, app):
        self.app = app

    async def __call__(self, scope, receive, send):
        request_id = next((value for name, value in scope.get("headers", ()) if name == b"x-request-id"), b"")
        if not self.given.fullmatch(request_id):
            request_id = str(uuid.uuid4()).encode()

        async def send_with_headers(message):
            if message["type"] == "http.response.start":
                message["headers"] += [
                    (b"cache-control", b"no-store"),
                    (b"x-content-type-options", b"nosniff"),
                    (b"x-request-id", request_id),
                ]
            await send(message)

        await self.app(scope, receive, send_with_headers)


app = FastAPI()
app.add_middleware(Headers)
hasher = argon2.PasswordHasher(time_cost=2, memory_cost=19456, parallelism=1, hash_len=32, salt_len=16)


@app.exception_handler(RequestValidationError)
def on_invalid(_, error: RequestValidationError):
    def detail(issue):
        prefix = str(issue["loc"][-1]).removesuffix("_id")
        message = f"Expected {prefix}-<lowercase uuid>"
        return {"type": "string_pattern_mismatch", "loc": issue["loc"], "msg": message}

    return JSONResponse({"detail": [detail(issue) for issue in error.errors()]}, 422)


@app.get("/teams/{team_id}", response_model=TeamResponse)
def get_team(team_id: str = Path(regex=TEAM)):
    with new_session() as session:
        team = session.get(Team, team_id)
        if team is None:
            raise HTTPException(404, "Team not found")
        return team


@app.post("/teams", response_model=TeamResponse, status_code=201)
def create_team(body: TeamCreate):
    with new_session() as session:
        team = Team(id=new_id("team"), name=body.name)
        session.add(team)
        session.commit()
        return team


@app.get("/users/{user_id}", response_model=UserResponse)
def get_user(user_id: str = Path(regex=USER)):
    with new_session() as session:
        return find_user(session, user_id)


@app.get("/users", response_model=list[UserResponse])
def list_users(team_id: Optional[str] = Query(None, regex=TEAM)):
    with new_session() as session:
        query = session.query(User).options(joinedload(User.team), selectinload(User.roles))
        if team_id is not None:
            query = query.filter(User.team_id == team_id)
        return query.order_by(User.id).all()


@app.patch("/users/{user_id}", response_model=UserResponse)
def change_user(body: UserUpdate, user_id: str = Path(regex=USER)):
    with new_session() as session:
        change = {name: value for name, value in body.dict().items() if value is not None}
        if change:
            session.query(User).filter(User.id == user_id).update(change, synchronize_session=False)
            session.commit()
        return find_user(session, user_id)


@app.post("/users/{user_id}/roles/{role_id}", response_model=UserResponse)
def assign_role(user_id: str = Path(regex=USER), role_id: str = Path(regex=ROLE)):
    with new_session() as session:
        session.execute(insert(user_roles).values(user_id=user_id, role_id=role_id).on_conflict_do_nothing())
        session.commit()
        return find_user(session, user_id)


@app.post("/users", response_model=UserResponse, status_code=201)
def create_user(body: UserCreate):
    with new_session() as session:
        user = User(
            id=new_id("user"),
            email=body.email,
            normalized_email=body.email.lower(),
            name=body.name,
            password_hash=hasher.hash(body.password),
            team_id=body.team_id,
        )
        session.add(user)
        session.commit()
        return find_user(session, user.id)


if __name__ == "__main__":
    port = int(os.environ["PORT"])
    uvicorn.run(app, host="127.0.0.1", port=port, loop="uvloop", http="httptools", log_level="error")
