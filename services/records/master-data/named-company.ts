/** Checks of records that name another company. */
import { invalidMember } from '../../../domain/errors.ts';
import type { Permission } from '../../../domain/permissions.ts';
import { inOtherCompany } from '../../platform/visibility/other-companies.ts';
import type { HookScope } from '../resources/declaration.ts';

/** Permissions that a person needs in the company that they name, with the words of the refusal. */
const NEEDED = {
  'company:read': 'must be another company in which you work',
  'reports:accounting': 'must be another company in which you may read accounting reports',
} as const satisfies Partial<Record<Permission, string>>;

/**
 * Checks that whoever names a company belongs there, so that nobody can draw a company into a group, or find out whether there is one.
 * @param value the member `companyId`; nothing is checked if it is left out, null or as before
 * @throws ServiceError validation_failed, also for API keys and plugins
 */
export async function assertNamedCompany(
  { trx, ctx }: HookScope,
  value: unknown,
  permission: keyof typeof NEEDED,
  before?: string | null,
): Promise<void> {
  if (value === undefined || value === null || value === before) return;
  const companyId = String(value).toLowerCase();
  const isOther = companyId !== ctx.tenantId;
  if (isOther && (await inOtherCompany(trx, ctx, { companyId, permission }, async () => true)) !== null) return;
  throw invalidMember('/companyId', 'invalid_reference', NEEDED[permission]);
}
