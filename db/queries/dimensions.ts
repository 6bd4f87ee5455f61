/**
 * SQL of default dimensions, as JSON with `costCenterId` and `projectId`: null for those that take no more.
 * @param costCenter SQL of its id
 * @param project SQL of its id
 */
export const openDimensions = (costCenter: string, project: string) =>
  `json_build_object('costCenterId', (select open.id from cost_centers open where open.id = ${costCenter} and open.active),
      'projectId', (select open.id from projects open where open.id = ${project} and open.active))`;

/** SQL of the company's default dimensions. @param accounting SQL of the settings of that name */
export const companyDimensions = (accounting: string) =>
  openDimensions(`(${accounting} ->> 'defaultCostCenterId')::uuid`, `(${accounting} ->> 'defaultProjectId')::uuid`);
