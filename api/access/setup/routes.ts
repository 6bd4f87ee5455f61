import { Type } from 'typebox';
import { SERVICE_VERSION } from '../../../config/version.ts';
import { initialize, isInitialized } from '../../../services/access/setup/initialize.ts';
import { isWorkerAlive } from '../../../services/access/setup/status.ts';
import { choice, email, label, nullable, text } from '../../../services/platform/validation/schemas.ts';
import { authEnv } from '../../auth-env.ts';
import { newCompanySchema } from '../../platform/settings/company-schemas.ts';
import { type Deps, defineRoute, type Route } from '../../route.ts';
import { newPassword, sessionMembers, tenantSchema } from '../sessions/schemas.ts';

const TAG = 'Set-up';
const check = () => choice(['ok', 'down']);

export const routes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/setup/status',
    id: 'setupStatus',
    summary: 'Whether the system is set up, and which of its parts respond',
    description: 'For a start page, before anybody can log in.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    responses: {
      200: Type.Object(
        {
          initialized: nullable(Type.Boolean({ description: 'null while the database does not answer' })),
          version: text(),
          checks: Type.Object({ database: check(), temporal: check(), worker: check() }),
        },
        { title: 'SetupStatus' },
      ),
    },
    handler: async ({ deps }) => ({ status: 200, body: await status(deps) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/setup/init',
    id: 'setupInit',
    summary: 'Create the first company and its owner',
    problems: ['already_initialized'],
    description: 'Works once. Answers like login, with the company.',
    tag: TAG,
    access: 'public',
    transaction: 'none',
    body: Type.Object({
      company: newCompanySchema,
      admin: Type.Object({ email: email(), name: label(), password: newPassword() }),
    }),
    responses: { 201: Type.Object({ ...sessionMembers, tenant: tenantSchema }, { title: 'SetupResult' }) },
    handler: async ({ body, deps, requestId }) => {
      const result = await initialize(authEnv(deps), body, requestId);
      const headers = { Location: `/api/tenants/${String(result.tenant.id)}`, 'Cache-Control': 'no-store' };
      return { status: 201, body: result, headers };
    },
  }),
];

async function status({ database, workflows }: Deps) {
  const [databaseUp, temporalUp] = await Promise.all([database.ping(), workflows.isUp()]);
  const workerUp = databaseUp && (await isWorkerAlive(database));
  const shown = (up: boolean) => (up ? 'ok' : 'down');
  return {
    initialized: databaseUp ? await isInitialized(database) : null,
    version: SERVICE_VERSION,
    checks: { database: shown(databaseUp), temporal: shown(temporalUp), worker: shown(workerUp) },
  };
}
