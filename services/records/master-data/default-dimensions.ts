import { uuid } from '../../platform/validation/schemas.ts';
import type { ResourceField } from '../resources/field.ts';

/**
 * The members of a record that gives others its cost center and project (decision 0343).
 * @param use what takes them
 */
export function defaultDimensions(use: string) {
  return {
    defaultCostCenterId: defaultDimension('cost_centers', `Cost center of ${use}`),
    defaultProjectId: defaultDimension('projects', `Project of ${use}`),
  };
}

/** One of them. */
export function defaultDimension(table: 'cost_centers' | 'projects', description: string): ResourceField {
  return { schema: uuid({ description }), reference: { table, mustBeActive: true } };
}
