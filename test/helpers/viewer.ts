import { ROLES } from '../../domain/permissions.ts';

/** A viewer of tasks who sees all. */
export const OWNER = { userId: null, actor: null, role: 'owner', permissions: ROLES.owner.permissions } as const;
