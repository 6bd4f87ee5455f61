/** Stock: levels, movements, counts, transfers, batches and serial numbers. */
import type { Route } from '../../route.ts';
import { routes as availability } from './availability.ts';
import { routes as batches } from './batches.ts';
import { routes as levels } from './levels.ts';
import { routes as movements } from './movements.ts';
import { routes as operations } from './operations.ts';
import { routes as serials } from './serials.ts';

export const routes: Route[] = [...levels, ...movements, ...operations, ...batches, ...serials, ...availability];
