/** Lists the work that should be running in Temporal according to the database, for all companies, page by page. */
import type { Database } from '../../../db/database.ts';
import { query } from '../../../db/sql.ts';
import { TASK_STARTED } from '../../../domain/platform/internal-events.ts';
import type { TaskKind } from '../../../domain/platform/tasks.ts';
import { ASKING_ACTIONS } from '../../../workflows/integrations/automations/contract.ts';
import { listRunsToStart } from '../../integrations/automations/begin-runs.ts';
import { listOpenDocuments } from '../../trade/documents/open-documents.ts';
import { listEventWork } from './event-work.ts';
import type { EventSpan, ExpectedWork, WorkPage } from './work.ts';

type WorkSource = (database: Database, cursor: string | null, time: EventSpan) => Promise<WorkPage>;

const PAGE_SIZE = 500;
/** Whether a run asks people. */
const ASKS = [...ASKING_ACTIONS].map((type) => `r.actions @> '[{"type": "${type}"}]'`).join(' or ');
/** Excludes work whose event waits in the outbox: the relay will start it. */
const NOT_IN_OUTBOX = `not exists (select from outbox o where o.tenant_id = w.tenant_id and o.entity_id = w.id and o.processed_at is null
  and o.dead_at is null)`;

/** Excludes chains whose company must act first, which starts their workflow. */
const NOT_WAITING = `coalesce(w.problem->>'code', '') not in ('no_certificate', 'certificate_expired', 'suspended')`;

/** The sources of expected work, in the order in which they are checked. */
export const WORK_SOURCES: readonly WorkSource[] = [
  async (database, after) => {
    const documents = await listOpenDocuments(database, after, PAGE_SIZE);
    return toPage(
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
         order by w.id limit ${PAGE_SIZE}`,
        { after, until: until.toISOString() },
      ),
    );
    return toPage(
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
         order by w.id limit ${PAGE_SIZE}`,
        { after, until: until.toISOString() },
      ),
    );
    return toPage(
      rows,
      ({ paymentId }) => paymentId,
      (one) => ({ kind: 'matchings', ...one }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string; emailId: string; documentId: string | null }>(
        trx,
        `select w.tenant_id as "tenantId", w.id as "emailId", case when w.attach_document then w.document_id end as "documentId"
         from emails w
         where w.status = 'queued' and w.id > ${AFTER} and w.created_at < :until::timestamptz and ${NOT_IN_OUTBOX}
         order by w.id limit ${PAGE_SIZE}`,
        { after, until: until.toISOString() },
      ),
    );
    return toPage(
      rows,
      ({ emailId }) => emailId,
      (one) => ({ kind: 'emails', ...one }),
    );
  },
  async (database, after, { until }) => {
    const runs = await database.withSystem((trx) =>
      listRunsToStart(
        trx,
        // Runs by the clock belong to the workflow of their schedule, unless they ask people.
        `automation_runs r where r.status = 'running' and (r.event_id is not null or r.turn > 1 or ${ASKS})
           and r.started_at < :until::timestamptz and r.id > ${AFTER} order by r.id limit ${PAGE_SIZE}`,
        { after: after ?? FIRST, until: until.toISOString() },
      ),
    );
    return toPage(
      runs,
      ({ runId }) => runId,
      (run) => ({ kind: 'automations', ...run }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string }>(
        trx,
        `select distinct w.tenant_id as "tenantId" from verifactu_chains w
         where w.seq > w.sent_seq and ${NOT_WAITING} and w.tenant_id > ${AFTER}
           and w.generated_at < :until::timestamptz and ${NOT_IN_OUTBOX}
         order by w.tenant_id limit ${PAGE_SIZE}`,
        { after, until: until.toISOString() },
      ),
    );
    return toPage(
      rows,
      ({ tenantId }) => tenantId,
      (one) => ({ kind: 'verifactu', ...one }),
    );
  },
  async (database, after, { until }) => {
    const rows = await database.withSystem((trx) =>
      query<{ tenantId: string }>(
        trx,
        `select distinct w.tenant_id as "tenantId" from face_submissions w
         where w.next_at is not null and w.tenant_id > ${AFTER} and w.created_at < :until::timestamptz and ${NOT_IN_OUTBOX}
         order by w.tenant_id limit ${PAGE_SIZE}`,
        { after, until: until.toISOString() },
      ),
    );
    return toPage(
      rows,
      ({ tenantId }) => tenantId,
      (one) => ({ kind: 'face', ...one }),
    );
  },
  listEventWork,
];

const FIRST = '00000000-0000-0000-0000-000000000000';
const AFTER = `coalesce(:after::uuid, '${FIRST}')`;

function toPage<T>(rows: readonly T[], toId: (row: T) => string, toWork: (row: T) => ExpectedWork): WorkPage {
  const last = rows.at(-1);
  return { items: rows.map(toWork), next: rows.length < PAGE_SIZE || last === undefined ? null : toId(last) };
}
