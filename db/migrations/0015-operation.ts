import { APP_ROLE, SYSTEM_ROLE } from '../database.ts';
import { describe, forceRowSecurity, table } from './schema.ts';

/** The operation of the service itself. These tables belong to no company. */
export const up = `
  ${table(
    'workers',
    'Worker processes that are alive.',
    `
    id uuid primary key, -- Identifier of the process
    queues text[] not null, -- Task queues that it serves
    started_at timestamptz not null, -- When it started
    seen_at timestamptz not null, -- Last sign of life
    host text -- Machine or container that it runs on
  `,
  )}
  grant select, insert, update, delete on workers to ${APP_ROLE};
  grant select, insert, update, delete on workers to ${SYSTEM_ROLE};

  ${table(
    'work_counts',
    "Counters of the service's metrics, shared by its processes.",
    `
    name text not null, -- Metric
    labels text not null, -- Labels of the metric
    value double precision not null, -- Count
    constraint work_counts_pkey primary key (name, labels)
  `,
  )}
  grant select, insert, update on work_counts to ${SYSTEM_ROLE};

  ${table(
    'write_probe',
    'One row that is changed to see whether the database accepts changes.',
    `
    id integer default 1 primary key check (id = 1), -- Always 1
    tried_at timestamptz -- When it was last changed
  `,
  )}
  insert into write_probe default values;
  grant select, update on write_probe to ${SYSTEM_ROLE};

  ${table(
    'prunings',
    'Deletion of old rows: when each kind was last pruned.',
    `
    kind text primary key, -- What is pruned
    kept_since timestamptz, -- Time since which everything is kept
    done_at timestamptz, -- When it was last pruned
    error text -- Why it could not be pruned since
  `,
  )}
  ${forceRowSecurity('prunings')}
  create policy prunings_system on prunings to ${SYSTEM_ROLE} using (true) with check (true);
  create policy prunings_read on prunings for select to ${APP_ROLE} using (true);
  grant select on prunings to ${APP_ROLE};
  grant select, insert, update on prunings to ${SYSTEM_ROLE};

  ${table(
    'service_starts',
    'Starts of the service, for rules that wait for them. All processes of a start share a row.',
    `
    id text primary key, -- Identifies the start
    started_at timestamptz not null default clock_timestamp(), -- When the service started
    told_at timestamptz -- When all rules that wait for it had begun
  `,
  )}
  grant select, insert, update, delete on service_starts to ${SYSTEM_ROLE};

  -- The runner of migrations creates this table before the first of them.
  ${describe(
    'schema_migrations',
    'Migrations that have been applied.',
    `
    name text, -- Name of the migration
    checksum text, -- SHA-256 of its statements, which may not change once it is applied
    applied_at timestamptz -- When it was applied
  `,
  )}
`;
