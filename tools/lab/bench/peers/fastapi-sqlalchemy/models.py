"""The database: the settings of the service, and its tables."""

import os

from sqlalchemy import Column, ForeignKey, Table, Text, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import declarative_base, relationship, sessionmaker
from sqlalchemy.pool import QueuePool

url = os.environ["DATABASE_URL"]
if url.startswith("postgres"):
    insert = postgresql.insert
    engine = create_engine(url.replace("postgres://", "postgresql://"), pool_size=10, max_overflow=0)
else:
    insert = sqlite.insert
    engine = create_engine(
        "sqlite:///" + url.removeprefix("sqlite:"),
        connect_args={"check_same_thread": False, "timeout": 30},
        poolclass=QueuePool,  # SQLAlchemy 1.4 would open the file for each session
        pool_size=40,  # one for each thread of FastAPI
    )

    @event.listens_for(engine, "connect")
    def set_pragmas(connection, _):
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute("pragma " + pragma)


new_session = sessionmaker(engine, expire_on_commit=False)
Base = declarative_base()

user_roles = Table(
    "user_roles",
    Base.metadata,
    Column("user_id", ForeignKey("users.id"), primary_key=True),
    Column("role_id", ForeignKey("roles.id"), primary_key=True),
)


class Team(Base):
    __tablename__ = "teams"
    id = Column(Text, primary_key=True)
    name = Column(Text, nullable=False)


class Role(Base):
    __tablename__ = "roles"
    id = Column(Text, primary_key=True)
    name = Column(Text, nullable=False)
    description = Column(Text)


class User(Base):
    __tablename__ = "users"
    id = Column(Text, primary_key=True)
    email = Column(Text, nullable=False)
    normalized_email = Column(Text, nullable=False)
    name = Column(Text, nullable=False)
    password_hash = Column(Text, nullable=False)
    team_id = Column(ForeignKey("teams.id"))
    team = relationship(Team)
    roles = relationship(Role, secondary=user_roles, order_by=Role.id)
