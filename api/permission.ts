/** Permission checks: from the route's declaration, or by a handler if the permission depends on the request. */

import type { Machine } from '../domain/actors.ts';
import { ServiceError } from '../domain/errors.ts';
import type { Permission } from '../domain/permissions.ts';
import type { Caller, Route } from './route.ts';

/** @throws ServiceError forbidden */
export function assertPermitted({ access }: Route, caller: Caller): void {
  if (access !== 'member' && access !== 'public') assertPermission(caller, access);
}

const MACHINES: Readonly<Record<Machine['kind'], string>> = { api_key: 'This API key', plugin: 'This plugin' };

/** @throws ServiceError forbidden */
export function assertPermission({ role, permissions, machine }: Caller, permission: Permission): void {
  if (!permissions.has(permission)) {
    const who = machine === null ? `Your role (${role})` : MACHINES[machine.kind];
    throw new ServiceError('forbidden', `${who} lacks the permission ${permission}`);
  }
}
