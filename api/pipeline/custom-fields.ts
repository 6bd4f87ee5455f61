/** Custom fields in bodies and responses, wherever a route's schemas declare them (`withCustomFields`). */
import { type ServiceError, validationFailed } from '../../domain/errors.ts';
import { customFieldsIn } from '../../services/platform/validation/schemas.ts';
import { loadActiveFields } from '../../services/records/custom-fields/definitions.ts';
import { showCustomFields as shown } from '../../services/records/custom-fields/rows.ts';
import { customFaults } from '../../services/records/custom-fields/write.ts';
import type { Route, RouteRequest, RouteResponse } from '../route.ts';

type Row = Record<string, unknown>;
type Request = RouteRequest<unknown, unknown, unknown>;

/** Extends the schema's refusal of a body with the faults of its custom fields. */
export async function withCustomFaults(route: Route, request: Request, refusal: ServiceError): Promise<ServiceError> {
  const table = customFieldsIn(route.body);
  // There is nothing to add for a missing body, or one that is not an object.
  if (table === undefined || refusal.errors.some(({ pointer }) => pointer === '')) return refusal;
  const isNew = route.method === 'POST';
  const faults = await customFaults(request.reader, request.ctx, table, request.body, isNew);
  return faults.length === 0 ? refusal : validationFailed([...refusal.errors, ...faults]);
}

/** Adds all active custom fields to the records of a response, and removes inactive ones. */
export async function showCustomFields(route: Route, request: Request, answer: RouteResponse): Promise<RouteResponse> {
  const table = customFieldsIn(route.responses[answer.status]);
  const data = (answer.body as { data?: Row | Row[] } | undefined)?.data;
  if (table === undefined || data === undefined) return answer;
  const { ctx, reader } = request;
  // The company has never had any custom fields.
  if (ctx.customFieldsVersion === 0) return answer;
  const fields = await loadActiveFields(reader, ctx, table);
  const complete = Array.isArray(data) ? data.map((row) => shown(fields, row)) : shown(fields, data);
  return { ...answer, body: { ...(answer.body as Row), data: complete } };
}
