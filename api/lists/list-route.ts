/** Declares lists: the page as JSON and the complete list as CSV and Excel follow from one declaration. */
import type { Static, TSchema } from 'typebox';
import type { Context } from '../../db/context.ts';
import type { Reader } from '../../db/database.ts';
import { entityType } from '../../db/models/entities.ts';
import { type ListDefinition, parseListQuery } from '../../db/queries/list.ts';
import { type ListSource, runList } from '../../db/queries/run-list.ts';
import type { RowForm } from '../../db/row-forms.ts';
import { type ErrorCode, ServiceError } from '../../domain/errors.ts';
import type { Language } from '../../domain/locale/formats.ts';
import { spacedWords } from '../../domain/words.ts';
import { choice, customFieldsIn, listBody } from '../../services/platform/validation/schemas.ts';
import { canRead } from '../../services/platform/visibility/reading.ts';
import { loadActiveFields } from '../../services/records/custom-fields/definitions.ts';
import { withCustomFilters } from '../../services/records/custom-fields/list-fields.ts';
import { showCustomFields } from '../../services/records/custom-fields/rows.ts';
import { type Access, type Caller, type Deps, defineRoute, type Route, type RouteExamples } from '../route.ts';
import { assertHeader, type DeclaredColumns, ListColumns } from './columns.ts';
import { EXPORT_TYPES, exportList, isExportFormat } from './export.ts';
import { listAnswer, listParameters } from './list.ts';

/** Request for the rows of a list. */
export interface ListRequest<P> {
  readonly deps: Deps;
  readonly reader: Reader;
  readonly ctx: Context;
  readonly caller: Caller;
  readonly params: P;
  /** Parameters of the query string, except `format`. */
  readonly query: Readonly<Record<string, string>>;
  /** As in a request. */
  readonly language: Language | null;
}

/** Source of a list's rows, ready to be filtered, sorted and shown. */
export interface ListRows<Row> extends ListSource {
  /** Filters, sort orders and search, if they depend on the company; defaults to the declared definition. */
  readonly definition?: ListDefinition;
  /** The query translated to the list grammar, for lists with other parameters. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Members of this company's rows, in addition to those of the schema. */
  readonly members?: Readonly<Record<string, TSchema>>;
  toJson(row: Row): unknown;
  /** SQL form of rows that yields the same as `toJson`, if available; pages are read in it. */
  readonly shown?: RowForm;
}

interface ListRoute<P extends TSchema, Row> extends DeclaredColumns {
  readonly tag: string;
  readonly path: string;
  /** `list` and the plural, which is also the name of the file and its sheet. */
  readonly id: `list${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly access: Exclude<Access, 'public'>;
  readonly params?: P;
  readonly list: ListDefinition;
  /** Parameters in addition to those of the list grammar. */
  readonly parameters?: Readonly<Record<string, TSchema>>;
  readonly problems?: readonly ErrorCode[];
  readonly examples?: RouteExamples;
  /** Members of a page other than its rows. */
  readonly besides?: {
    readonly members: Readonly<Record<string, TSchema>>;
    read(request: ListRequest<Static<P>>): Promise<Readonly<Record<string, unknown>>>;
  };
  /** Checks the request's parameters and returns the source of the rows. @throws ServiceError */
  rows(request: ListRequest<Static<P>>): ListRows<Row> | Promise<ListRows<Row>>;
}

const format = choice(['json', ...Object.keys(EXPORT_TYPES)], {
  default: 'json',
  description: 'csv and excel return a file with all matching rows, regardless of page and limit',
});

const LIST_DESCRIPTION =
  'A page of the matching rows; `format=csv` or `format=excel` returns a file with all of them. Large rows need a lower `limit`: a ' +
  'page has about 8 MiB at most.';
const CUSTOM_FIELDS_DESCRIPTION = 'Custom fields can be filtered and sorted as custom_<field_name>.';

type Members = Record<string, unknown>;

/** Declares a list. */
export function listRoute<P extends TSchema, Row>(declared: ListRoute<P, Row>): Route {
  const { list, row, rows, besides, parameters, hidden, ids, references, ...route } = declared;
  const table = customFieldsIn(row);
  const columns = new ListColumns(declared);
  const words = spacedWords(route.id.slice('list'.length));
  return defineRoute({
    ...route,
    description: [route.description, LIST_DESCRIPTION, ...(table === undefined ? [] : [CUSTOM_FIELDS_DESCRIPTION])]
      .filter(Boolean)
      .join(' '),
    method: 'GET',
    query: listParameters(list, { ...parameters, format, ...columns.parameters(table !== undefined) }),
    responses: { 200: listBody(row, besides?.members) },
    formats: EXPORT_TYPES,
    // An export outlives the handler, so it takes its own connection.
    transaction: 'none',
    async handler({
      deps,
      reader,
      ctx,
      caller,
      params,
      language,
      query: { format: asked = 'json', fields, header, expand: _, ...query },
    }) {
      const open = async (on: Reader) => {
        const { cursor } = query as { readonly cursor?: string };
        const asked = cursor === undefined ? {} : { cursor };
        const source = await rows({ deps, reader: on, ctx, caller, params, query, language });
        const own = table === undefined ? [] : await loadActiveFields(on, ctx, table);
        const definition = withCustomFilters(source.definition ?? list, own);
        return {
          ...source,
          own,
          definition,
          query: parseListQuery(definition, { ...(source.parameters ?? query), ...asked }),
        };
      };
      if (isExportFormat(asked)) {
        return exportList<Row>(deps.database, ctx, {
          format: asked,
          words,
          async open(on) {
            const { members = {}, own, toJson, ...source } = await open(on);
            const chosen = columns.select({ fields, header }, members, own);
            return {
              ...source,
              // The others stay ids.
              references: chosen.references.filter(({ table }) => canRead(caller.permissions, entityType(table))),
              fileColumns: chosen.columns,
              // For JSON responses, the pipeline does this.
              toJson: (record: Row) =>
                table === undefined ? toJson(record) : showCustomFields(own, toJson(record) as Members),
            };
          },
        });
      }
      if (asked !== 'json') throw new ServiceError('invalid_parameter', 'format must be json, csv or excel');
      assertHeader(header);
      const { definition, query: asList, shown, toJson, ...source } = await open(reader);
      const more = await besides?.read({ deps, reader, ctx, caller, params, query, language });
      if (shown === undefined) return listAnswer(await runList<Row>(reader, definition, asList, source), toJson, more);
      return listAnswer(await runList(reader, definition, asList, { ...source, form: shown }), (row) => row, more);
    },
  });
}
