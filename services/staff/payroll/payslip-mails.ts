/**
 * Mails payslips: each employee gets a link to their own. A payslip is mailed once; the mail is rendered when it is
 * sent, and neither it nor the log of mails contains amounts.
 */
import type { Config } from '../../../config/index.ts';
import { Changes } from '../../../db/changes/changes.ts';
import type { Context } from '../../../db/context.ts';
import type { Database, Db } from '../../../db/database.ts';
import type { Email } from '../../../db/models/messages/mail.ts';
import type { Task } from '../../../db/models/platform/tasks.ts';
import { Employee, Payroll } from '../../../db/models/records/people.ts';
import { ServiceError } from '../../../domain/errors.ts';
import { parseRecipients } from '../../../domain/messages/mail/addresses.ts';
import { plainName } from '../../../domain/messages/mail/names.ts';
import { counted } from '../../../domain/words.ts';
import type { MailHandler, Prepared } from '../../messages/mail/handlers.ts';
import { queuePacedMail } from '../../messages/mail/queue.ts';
import { textToHtml } from '../../messages/mail/render.ts';
import { jsonResult, type ResultLinks, storeResult } from '../../platform/files/task-results.ts';
import { loadSettings } from '../../platform/settings/settings.ts';
import { assertRunning, endTask, recordPosition } from '../../platform/tasks/report.ts';
import { startTask } from '../../platform/tasks/tasks.ts';
import type { Progress } from './generate.ts';
import { type Month, monthName } from './month.ts';
import { payslipLink } from './payslip-links.ts';

/** Payrolls handled in one transaction. */
const BATCH_SIZE = 25;
const LINK_DAYS = 30;
/** Maximum employees without an address named in a result. */
const MAX_NAMED = 1000;
const NOT_WANTED = 'The payroll is cancelled, or the employee has another address';

/** Progress of a task. */
interface Position {
  readonly rows: number;
  readonly total: number;
  readonly after: string | null;
  readonly queued: number;
  /** Number of payslips mailed by an earlier task. */
  readonly before: number;
  /** Codes of employees without an address. */
  readonly without: readonly string[];
}

/** Starts a task that mails a month's remaining payslips. @throws ServiceError nothing_open if no payroll is posted */
export async function startPayslips(trx: Db, ctx: Context, { year, month }: Month): Promise<Task> {
  if ((await postedPayrolls(trx, { year, month }).first()) === undefined) {
    throw new ServiceError('nothing_open', `No payroll of ${monthName({ year, month })} is posted`);
  }
  const name = monthName({ year, month });
  return await startTask(trx, ctx, {
    kind: 'payslips',
    permission: 'payroll:read',
    input: { year, month },
    message: `Waiting to mail payslips of ${name}`,
    title: `Payslips of ${name}`,
  });
}

/**
 * Queues mails until all are queued or the turn is over.
 * @throws TaskGone when the task has ended or was cancelled
 */
export async function mailPayslipsForTask(
  database: Database,
  ctx: Context,
  now: () => Date,
  { task, links }: { readonly task: Task; readonly links: ResultLinks },
  progress: Progress,
  turnIsOver: () => boolean,
): Promise<void> {
  const month = task.input as unknown as Month;
  let position = (task.position as Position | null) ?? (await begin(database, ctx, month));
  for (let more = true; more; ) {
    const at = { ...ctx, now: now() };
    const before = position;
    ({ position, more } = await database.withTenant(at, (trx) => mailPart(trx, at, task.id, month, before)));
    await progress(position.rows, position.total);
    if (more && turnIsOver()) return;
  }
  const at = { ...ctx, now: now() };
  await database.withTenant(at, (trx) => finish(trx, at, task.id, month, position, links));
}

/** Creates the handler that renders payslip mails. */
export function payslipMails({ encryptionKey, appUrl }: Pick<Config, 'encryptionKey' | 'appUrl'>): MailHandler {
  const keys = encryptionKey === undefined ? [] : [encryptionKey];
  return {
    async prepare(database: Database, ctx: Context, email: Email): Promise<Prepared> {
      const payrollId = String(email.entityId);
      return await database.readTenant(ctx, async (db): Promise<Prepared> => {
        const payroll = await Payroll.query(db).findById(payrollId);
        const employee = payroll && (await Employee.query(db).findById(payroll.employeeId));
        const isTheirs = employee?.email === email.addressees;
        if (payroll?.status !== 'O' || !isTheirs) return { goes: false, reason: NOT_WANTED };
        const expires = Math.floor(ctx.now.getTime() / 1000) + LINK_DAYS * 86_400;
        const link = appUrl + payslipLink(keys, { tenantId: ctx.tenantId, payrollId, expires });
        const text = (await renderText(db, payroll)).body(link);
        return { goes: true, content: { subject: email.subject, text, html: textToHtml(text) } };
      });
    },
  };
}

function postedPayrolls(trx: Db, { year, month }: Month) {
  return Payroll.query(trx).where({ year, month, status: 'O' });
}

async function begin(database: Database, ctx: Context, month: Month): Promise<Position> {
  const total = await database.withTenant(ctx, (trx) => postedPayrolls(trx, month).resultSize());
  return { rows: 0, total, after: null, queued: 0, before: 0, without: [] };
}

async function mailPart(
  trx: Db,
  ctx: Context,
  taskId: string,
  month: Month,
  before: Position,
): Promise<{ readonly position: Position; readonly more: boolean }> {
  const page = postedPayrolls(trx, month).orderBy('id').limit(BATCH_SIZE).forUpdate();
  const payrolls = await (before.after === null ? page : page.where('id', '>', before.after));
  const employees = await Employee.query(trx).whereIn(
    'id',
    payrolls.map(({ employeeId }) => employeeId),
  );
  const addresses = new Map(employees.map(({ id, email }) => [id, email]));
  const waiting = payrolls.filter(({ payslipMailedAt }) => payslipMailedAt === null);
  const sent = waiting.filter(({ employeeId }) => isAddress(addresses.get(employeeId)));
  const position: Position = {
    ...before,
    rows: before.rows + payrolls.length,
    after: payrolls.at(-1)?.id ?? before.after,
    queued: before.queued + sent.length,
    before: before.before + payrolls.length - waiting.length,
    without: [
      ...before.without,
      ...waiting.filter((payroll) => !sent.includes(payroll)).map(({ terms }) => terms.employeeCode),
    ].slice(0, MAX_NAMED),
  };
  if (payrolls.length > 0) assertRunning(await recordPosition(trx, taskId, position, before.rows));
  const changes = new Changes(ctx);
  const { subject } = await renderText(trx, month);
  for (const payroll of sent) {
    changes.change(Payroll, payroll, { payslipMailedAt: ctx.now.toISOString() });
    const to = addresses.get(payroll.employeeId) as string;
    await queuePacedMail(trx, ctx, { kind: 'payslip', to, subject, entityId: payroll.id });
  }
  await changes.write(trx);
  return { position, more: payrolls.length === BATCH_SIZE };
}

/** Whether a text is a single address to which mails can be sent. */
function isAddress(email: string | null | undefined): boolean {
  return typeof email === 'string' && !('code' in parseRecipients(email));
}

async function renderText(db: Db, month: Month) {
  const [company, { locale }] = [await loadSettings(db, 'company'), await loadSettings(db, 'format')];
  const name = plainName(company.name);
  return locale.startsWith('es')
    ? {
        subject: `Nómina de ${monthName(month)} · ${name}`,
        body: (link: string) =>
          `Su recibo de salarios de ${monthName(month)} está disponible en esta dirección durante ${LINK_DAYS} días:\n\n${link}\n\n` +
          `Quien la tenga puede abrirlo: no la comparta.\n\n${name}\n`,
      }
    : {
        subject: `Payslip of ${monthName(month)} · ${name}`,
        body: (link: string) =>
          `Your payslip of ${monthName(month)} is at this address for ${LINK_DAYS} days:\n\n${link}\n\n` +
          `Whoever has it can open it: do not share it.\n\n${name}\n`,
      };
}

async function finish(
  trx: Db,
  ctx: Context,
  taskId: string,
  month: Month,
  { queued, before, without }: Position,
  links: ResultLinks,
): Promise<void> {
  const { year, month: number } = month;
  const data = { year, month: number, queued, mailed_before: before, without_address: without };
  const name = `payslips-${monthName(month)}`;
  const { url } = await storeResult(trx, ctx, links, jsonResult(taskId, name, JSON.stringify(data)));
  const parts = [
    `${counted(queued, 'payslip')} of ${monthName(month)} queued`,
    ...(before > 0 ? [`${before} mailed before`] : []),
    ...(without.length > 0 ? [`${without.length} without an address: see the result`] : []),
  ];
  const counts = { queued, mailed_before: before, without_address: without.length };
  assertRunning(await endTask(trx, ctx, taskId, { message: parts.join(', '), resultUrl: url, counts }));
}
