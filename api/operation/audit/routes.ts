/** The audit log: every change with its author, time, and values before and after. */

import { Type } from 'typebox';
import { Automation } from '../../../db/models/integrations/automations.ts';
import { Email } from '../../../db/models/messages/mail.ts';
import { EmployeeContract, EmployeeTaxData, PayItem, Payroll } from '../../../db/models/records/people.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { prepared } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { maskActions } from '../../../domain/integrations/automations/headers.ts';
import type { MailKind } from '../../../domain/messages/mail/kinds.ts';
import { choice, dataBody, day, instant, nullable, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { assertDay } from '../../lists/list.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { type Caller, defineRoute, type Route } from '../../route.ts';

const TAG = 'Audit';
const ACTIONS = ['CREATE', 'UPDATE', 'DELETE'] as const;

/** Entities that show pay and need the permission `payroll`. */
const PAY_ENTITIES: readonly string[] = [EmployeeContract, EmployeeTaxData, PayItem, Payroll].map(
  ({ entityType }) => entityType,
);

const PAYSLIP_MAIL = 'payslip' satisfies MailKind;

const logs: ListDefinition = {
  defaultSort: '',
  fields: {
    entityType: { type: 'text' },
    entityId: { type: 'uuid' },
    action: { type: 'choice', choices: ACTIONS },
    userId: { type: 'uuid' },
    requestId: { type: 'text' },
    createdAt: { type: 'instant' },
  },
};

interface LogRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly action: string;
  readonly user_id: string | null;
  readonly actor: string | null;
  readonly request_id: string | null;
  readonly old_value: unknown;
  readonly new_value: unknown;
  readonly created_at: string;
}

const state = () => nullable(Type.Object({}, { additionalProperties: true }));
const AuditLog = Type.Object(
  {
    id: uuid(),
    tenantId: uuid(),
    entityType: text({ description: 'For example Item, SalesInvoice, BusinessPartner' }),
    entityId: uuid(),
    action: choice(ACTIONS),
    userId: nullable(uuid()),
    actor: nullable(text({ description: 'The actor, if not a user: api_key:<id> or workflow:<id>' })),
    requestId: nullable(text()),
    oldValue: state(),
    newValue: state(),
    createdAt: instant(),
  },
  { title: 'AuditLog' },
);

export const routes: Route[] = [
  listRoute({
    path: '/api/audit-logs',
    id: 'listAuditLogs',
    summary: 'The audit log, newest first',
    tag: TAG,
    access: 'audit:read',
    list: logs,
    parameters: {
      dateFrom: day({ description: "From this day, in the company's time zone" }),
      dateTo: day({ description: 'Up to and including this day' }),
    },
    row: AuditLog,
    ids: ['entityId', 'userId'],
    rows: ({ query, caller }) => ({ from: 'audit_logs', parameters: withDays(query), toJson: recordForCaller(caller) }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/audit-logs/:id',
    id: 'getAuditLog',
    summary: 'One record of the audit log',
    description: 'The change, its author, and the members before and after.',
    tag: TAG,
    access: 'audit:read',
    params: Type.Object({ id: uuid() }),
    responses: { 200: dataBody(AuditLog) },
    async handler({ reader, params, caller }) {
      const [row] = await prepared<LogRow>(reader, 'select * from audit_logs where id = :id', { id: params.id });
      if (row === undefined) throw notFound('This record of the audit log');
      return ok(recordForCaller(caller)(row));
    },
  }),
];

/** Translates `dateFrom` and `dateTo` to the list grammar. */
function withDays({ dateFrom, dateTo, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...rest,
    ...(dateFrom === undefined ? {} : { 'createdAt[gte]': assertDay('dateFrom', dateFrom) }),
    ...(dateTo === undefined ? {} : { 'createdAt[lte]': assertDay('dateTo', dateTo) }),
  };
}

/** Converts records for a caller, masking pay for callers who may not read it. */
function recordForCaller({ permissions }: Pick<Caller, 'permissions'>) {
  const readsPay = permissions.has('payroll:read');
  return (row: LogRow) => {
    const { oldValue, newValue, ...record } = toJson(row);
    const shown =
      !readsPay && showsPay(row) ? maskValues : row.entity_type === Automation.entityType ? maskHeaders : same;
    return { ...record, oldValue: shown(oldValue), newValue: shown(newValue) };
  };
}

/** Whether a record shows pay. Mails of payslips do: their addressees would reveal whose payrolls were mailed at the same time. */
function showsPay({ entity_type, old_value, new_value }: LogRow): boolean {
  if (entity_type !== Email.entityType) return PAY_ENTITIES.includes(entity_type);
  return ((new_value ?? old_value) as { readonly kind?: string } | null)?.kind === PAYSLIP_MAIL;
}

const same = (values: unknown) => values;

/** Masks the values of headers, which records of version 1.0.0 hold. */
function maskHeaders(values: unknown): unknown {
  const { actions } = (values ?? {}) as { readonly actions?: readonly object[] };
  return actions === undefined ? values : { ...(values as object), actions: maskActions(actions) };
}

/** Masks all values except the id; the names of the members stay visible. */
function maskValues(values: unknown): unknown {
  if (values === null) return null;
  const members = Object.entries(values as Record<string, unknown>);
  return Object.fromEntries(members.map(([name, value]) => [name, name === 'id' ? value : '***']));
}

function toJson(row: LogRow) {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    entityType: row.entity_type,
    entityId: row.entity_id,
    action: row.action,
    userId: row.user_id,
    actor: row.actor,
    requestId: row.request_id,
    oldValue: row.old_value,
    newValue: row.new_value,
    createdAt: row.created_at,
  };
}
