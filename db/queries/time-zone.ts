/** SQL of the tenant's days; by row-level security the tenant is the connection's. */

/** The tenant's time zone. */
export const TIME_ZONE = `coalesce((select value ->> 'timezone' from settings where name = 'format'), 'Europe/Madrid')`;

/** The day it is for the tenant at the instant `:now`. */
export const TODAY = `(:now::timestamptz at time zone ${TIME_ZONE})::date`;
