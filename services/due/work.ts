/** What should be running in Temporal according to the database, for all companies, page by page. Ids, states and titles only. */
import type { Database } from '../../db/database.ts';
import { query } from '../../db/sql.ts';
import { TASK_STARTED } from '../../domain/internal-events.ts';
import type { TaskKind } from '../../domain/tasks.ts';
import type { RunToStart } from '../../workflows/automations/contract.ts';
import type { DeliveryAbout } from '../../workflows/webhooks/contract.ts';
import { runsToStart } from '../automations/runs.ts';
import { type OpenDocument, openDocuments } from '../documents/open-documents.ts';
import { dueEvents } from './events.ts';

/** One piece of work, with the input it is started with. */
export type Due =
  | ({ readonly kind: 'lifecycles' } & OpenDocument)
  | {
      readonly kind: 'tasks';
      readonly tenantId: string;
      readonly taskId: string;
      readonly taskKind: TaskKind;
      readonly title: string | null;
    }
  | { readonly kind: 'matchings'; readonly tenantId: string; readonly paymentId: string }
  | {
      readonly kind: 'invitations';
      readonly tenantId: string;
      readonly invitationId: string;
      readonly mailId: string;
    }
  | {
      readonly kind: 'emails';
      readonly tenantId: string;
      readonly emailId: string;
      /** The document whose PDF it carries. */
      readonly documentId: string | null;
    }
  | ({ readonly kind: 'automations' } & RunToStart)
  | { readonly kind: 'revaluations'; readonly tenantId: string; readonly eventId: string; readonly itemId: string }
  | {
      readonly kind: 'deliveries' | 'redeliveries';
      readonly tenantId: string;
      readonly webhookId: string;
      readonly eventId: string;
      readonly about: DeliveryAbout;
      /** The request to redeliver, if any. */
      readonly redeliveryId: string | null;
    };

export const DUE_KINDS = [
  'lifecycles',
  'tasks',
  'matchings',
  'invitations',
  'emails',
  'automations',
  'deliveries',
  'redeliveries',
  'revaluations',
] as const;
export type DueKind = (typeof DUE_KINDS)[number];

export interface DuePage {
  readonly items: readonly Due[];
  /** Cursor of the next page; null after the last. */
  readonly next: string | null;
}

/** The span of events to check; later ones may still be in flight. */
export interface DueTime {
  readonly since: Date;
  readonly until: Date;
}

type Source = (database: Database, cursor: string | null, time: DueTime) => Promise<DuePage>;

const PAGE = 500;
/** What was committed lately and is not handed over yet is the relay's business. */
const NOT_IN_OUTBOX = `not exists (select from outbox o where o.tenant_id = w.tenant_id and o.entity_id = w.id and o.processed_at is null
  and o.dead_at is null)`;

/** The sources of due work, in the order in which they are checked. */
export const DUE_SOURCES: readonly Source[] = [
  async (database, after) => {
    const documents = await openDocuments(database, after, PAGE);
    return pageOf(
      documents,
      ({ documentId }) => documentId,
      (one) => ({ kind: 'lifecycles', ...one }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string; taskId: string; taskKind: TaskKind; title: string | null }>(
        trx,
        `select w.tenant_id as "tenantId", w.id as "taskId", w.kind as "taskKind", (select o.payload ->> 'title' from outbox o
           where o.tenant_id = w.tenant_id and o.entity_id = w.id and o.event = '${TASK_STARTED}' order by o.seq limit 1) as title
         from tasks w where w.status = 'running' and w.id > ${AFTER} and w.created_at < :until::timestamptz and ${NOT_IN_OUTBOX}
         order by w.id limit ${PAGE}`,
        { after, until: until.toISOString() },
      ),
    );
    return pageOf(
      rows,
      ({ taskId }) => taskId,
      (one) => ({ kind: 'tasks', ...one }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string; paymentId: string }>(
        trx,
        `select w.tenant_id as "tenantId", w.id as "paymentId" from payments w
         where w.reconciliation = 'pending' and w.id > ${AFTER} and w.updated_at < :until::timestamptz and ${NOT_IN_OUTBOX}
         order by w.id limit ${PAGE}`,
        { after, until: until.toISOString() },
      ),
    );
    return pageOf(
      rows,
      ({ paymentId }) => paymentId,
      (one) => ({ kind: 'matchings', ...one }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string; invitationId: string; mailId: string }>(
        trx,
        `select w.tenant_id as "tenantId", w.id as "invitationId", w.mail_id as "mailId" from invitations w
         where w.status = 'pending' and w.mailed_at is null and w.expires_at > :until::timestamptz and w.id > ${AFTER}
           and w.last_mail_at < :until::timestamptz and ${NOT_IN_OUTBOX}
           and not exists (select from emails e where e.tenant_id = w.tenant_id and e.id = w.mail_id)
         order by w.id limit ${PAGE}`,
        { after, until: until.toISOString() },
      ),
    );
    return pageOf(
      rows,
      ({ invitationId }) => invitationId,
      (one) => ({ kind: 'invitations', ...one }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string; emailId: string; documentId: string | null }>(
        trx,
        `select w.tenant_id as "tenantId", w.id as "emailId", case when w.attach_document then w.document_id end as "documentId"
         from emails w
         where w.status = 'queued' and w.id > ${AFTER} and w.created_at < :until::timestamptz and ${NOT_IN_OUTBOX}
         order by w.id limit ${PAGE}`,
        { after, until: until.toISOString() },
      ),
    );
    return pageOf(
      rows,
      ({ emailId }) => emailId,
      (one) => ({ kind: 'emails', ...one }),
    );
  },
  async (database, after, { until }) => {
    const runs = await database.withSystem((trx) =>
      runsToStart(
        trx,
        // What runs by the clock runs within the workflow of its schedule.
        `automation_runs r where r.status = 'running' and (r.event_id is not null or r.turn > 1) and r.started_at < :until::timestamptz
           and r.id > ${AFTER} order by r.id limit ${PAGE}`,
        { after: after ?? FIRST, until: until.toISOString() },
      ),
    );
    return pageOf(
      runs,
      ({ runId }) => runId,
      (run) => ({ kind: 'automations', ...run }),
    );
  },
  dueEvents,
];

const FIRST = '00000000-0000-0000-0000-000000000000';
const AFTER = `coalesce(:after::uuid, '${FIRST}')`;

function pageOf<T>(rows: readonly T[], idOf: (row: T) => string, toDue: (row: T) => Due): DuePage {
  const last = rows.at(-1);
  return { items: rows.map(toDue), next: rows.length < PAGE || last === undefined ? null : idOf(last) };
}
