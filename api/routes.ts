/** All routes of the service: one array for each resource. */
import { routes as auth } from './auth/routes.ts';
import { routes as company } from './company/routes.ts';
import { routes as documents } from './documents/routes.ts';
import type { Route } from './route.ts';
import { routes as setup } from './setup/routes.ts';

export const ROUTES: readonly Route[] = [...setup, ...auth, ...company, ...documents];
