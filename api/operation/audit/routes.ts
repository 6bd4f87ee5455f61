/** The audit log: every change with its author, time, and values before and after. */

import { Type } from 'typebox';
import { fragment, joined, toStatement, where } from '../../../db/queries/fragments.ts';
import type { ListDefinition } from '../../../db/queries/list.ts';
import { runOn } from '../../../db/sql.ts';
import { notFound } from '../../../domain/errors.ts';
import { type LogReader, visibleLogs, visibleValues } from '../../../services/operation/audit/visible-logs.ts';
import { choice, dataBody, day, instant, nullable, text, uuid } from '../../../services/platform/validation/schemas.ts';
import { assertDay } from '../../lists/list.ts';
import { listRoute } from '../../lists/list-route.ts';
import { ok } from '../../respond.ts';
import { type Caller, defineRoute, type Route, type RouteRequest } from '../../route.ts';

const TAG = 'Audit';
const ACTIONS = ['CREATE', 'UPDATE', 'DELETE'] as const;

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
  readonly old_value: Readonly<Record<string, unknown>> | null;
  readonly new_value: Readonly<Record<string, unknown>> | null;
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
    description: 'Changes of records that you may read; members that you may not see are masked.',
    tag: TAG,
    access: 'audit:read',
    list: logs,
    parameters: {
      dateFrom: day({ description: "From this day, in the company's time zone" }),
      dateTo: day({ description: 'Up to and including this day' }),
    },
    row: AuditLog,
    ids: ['entityId', 'userId'],
    rows: (request) => ({
      from: 'audit_logs',
      where: [visibleLogs(logReader(request), askedTypes(request.query))],
      parameters: withDays(request.query),
      toJson: recordForCaller(request.caller),
    }),
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
    async handler(request) {
      const { reader, params, caller } = request;
      const sql = where({ id: params.id }, [visibleLogs(logReader(request))]);
      const [row] = await runOn<LogRow>(reader, toStatement(joined([fragment('select * from audit_logs'), sql])));
      if (row === undefined) throw notFound('This record of the audit log');
      return ok(recordForCaller(caller)(row));
    },
  }),
];

/** The types that a list is limited to; undefined if it is not. */
function askedTypes(query: Readonly<Record<string, string>>): string[] | undefined {
  return (query.entityType ?? query['entityType[eq]'] ?? query['entityType[in]'])
    ?.split(',')
    .map((type) => type.trim());
}

/** Translates `dateFrom` and `dateTo` to the list grammar. */
function withDays({ dateFrom, dateTo, ...rest }: Readonly<Record<string, string>>): Record<string, string> {
  return {
    ...rest,
    ...(dateFrom === undefined ? {} : { 'createdAt[gte]': assertDay('dateFrom', dateFrom) }),
    ...(dateTo === undefined ? {} : { 'createdAt[lte]': assertDay('dateTo', dateTo) }),
  };
}

/** Converts records for a caller, without the values that they may not see. */
function recordForCaller({ permissions }: Pick<Caller, 'permissions'>) {
  return (row: LogRow) => ({
    ...toJson(row),
    oldValue: visibleValues(row.entity_type, row.old_value, permissions),
    newValue: visibleValues(row.entity_type, row.new_value, permissions),
  });
}

function logReader({ ctx, caller }: Pick<RouteRequest<unknown, unknown, unknown>, 'ctx' | 'caller'>): LogReader {
  return { userId: ctx.userId, actor: ctx.actor, role: caller.role, permissions: caller.permissions };
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
    createdAt: row.created_at,
  };
}
