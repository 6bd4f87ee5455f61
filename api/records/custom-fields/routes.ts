/** Routes of the custom fields of one table, besides those of the declared resource. */
import { Type } from 'typebox';
import { CustomField } from '../../../db/models/records/custom-fields.ts';
import { CUSTOM_FIELD_TABLES, MAX_CUSTOM_FIELDS } from '../../../domain/records/custom-fields.ts';
import { choice } from '../../../services/platform/validation/schemas.ts';
import { customFields } from '../../../services/records/master-data/custom-fields.ts';
import { answerSchema, listDefinition } from '../../../services/records/resources/fields.ts';
import { listRoute } from '../../lists/list-route.ts';
import { modelRows } from '../../resource.ts';
import type { Route } from '../../route.ts';

/** All of a table's fields fit on one page. */
const list = { ...listDefinition(customFields), defaultSort: 'position,field_name', defaultLimit: MAX_CUSTOM_FIELDS };

export const routes: Route[] = [
  listRoute({
    path: `${customFields.path}/by-table/:table`,
    id: 'listCustomFieldsOfTable',
    summary: 'The custom fields of one table, in order',
    tag: customFields.tag,
    access: CustomField.access,
    params: Type.Object({ table: choice(CUSTOM_FIELD_TABLES, { description: 'The records that have the fields' }) }),
    list,
    row: answerSchema(customFields),
    rows: ({ params }) => modelRows(CustomField, { tableName: params.table }),
  }),
];
