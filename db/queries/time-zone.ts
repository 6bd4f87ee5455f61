/** SQL of the tenant's dates; by row-level security the tenant is the connection's. */

/** The tenant's time zone. */
export const TIME_ZONE = `coalesce((select value ->> 'timezone' from settings where name = 'format'), 'Europe/Madrid')`;

/** Today's date for the tenant at the instant `:now`. */
export const TODAY = `(:now::timestamptz at time zone ${TIME_ZONE})::date`;
