/** The description of the service from which clients are generated. */
import type { Json } from '../api/openapi/components.ts';
import { buildOpenApi } from '../api/openapi/document.ts';
import { ROUTES } from '../api/routes.ts';

/** The description, without the requests that the service sends. */
export function describeService(): Json {
  return JSON.parse(JSON.stringify(buildOpenApi(ROUTES, { webhooks: false }))) as Json;
}
