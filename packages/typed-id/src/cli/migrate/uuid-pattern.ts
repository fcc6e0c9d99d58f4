/** A bare uuid as PostgreSQL's type uuid prints it, the only form that `IdType.fromUuid` accepts. */
export const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
