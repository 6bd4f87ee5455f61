/** The columns of a list exported as a file, and their titles: the parameters `fields` and `header`. */
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../../domain/errors.ts';
import type { Language } from '../../domain/locale/formats.ts';
import { choice, text } from '../../services/platform/validation/schemas.ts';
import type { CustomFieldDefinition } from '../../services/records/custom-fields/definitions.ts';
import { customMembers } from '../../services/records/custom-fields/list-fields.ts';
import { memberName } from '../../services/records/custom-fields/rows.ts';
import { allColumns, columnsNamed, defaultColumns, withTitles } from '../../services/records/exports/choose-columns.ts';
import { type Column, schemaColumns } from '../../services/records/exports/columns.ts';
import { type Reference, referencesIn } from '../../services/records/exports/references.ts';

/** Declaration of a list's columns. */
export interface DeclaredColumns {
  /** The schema of a row. */
  readonly row: TSchema;
  /** Columns that are useless in an export. */
  readonly hidden?: readonly string[];
  /** Ids needed to identify the rows of an export. */
  readonly ids?: readonly string[];
  /** Tables of id members whose names do not reveal them. */
  readonly references?: Readonly<Record<string, string | undefined>>;
}

/** The columns that a request asks for. */
export interface RequestedColumns {
  readonly fields?: string | undefined;
  readonly header?: string | undefined;
}

interface Chosen {
  /** References to show with code and name. */
  readonly references: readonly Reference[];
  columns(language: Language): readonly Column[];
}

const HEADERS = ['labels', 'names'];

/** The columns of a list's files. */
export class ListColumns {
  readonly #all: readonly Column[];
  readonly #usual: readonly Column[];
  readonly #references: readonly Reference[];

  constructor({ row, references, ...declared }: DeclaredColumns) {
    const members = Object.keys((row as { properties?: object }).properties ?? {});
    this.#references = referencesIn(members, references);
    const shape = { row, references: this.#references, ...declared };
    this.#all = allColumns(shape);
    this.#usual = defaultColumns(shape);
  }

  /** Parameters of the route. */
  parameters(hasCustomFields: boolean): Record<string, TSchema> {
    const names = [...this.#all.map(({ name }) => name), ...(hasCustomFields ? ['custom_<field_name>'] : [])];
    return {
      fields: text({
        description:
          `Just these members, or columns of csv and excel in this order, comma-separated: ${names.join(', ')}. ` +
          'By default, files have codes instead of ids',
      }),
      header: choice(HEADERS, {
        default: 'labels',
        description: "Column titles: labels in the company's language, or names of members",
      }),
    };
  }

  /**
   * Selects the requested columns, or the default ones.
   * @param members additional members of the rows
   * @throws ServiceError invalid_parameter
   */
  select(
    { fields, header = 'labels' }: RequestedColumns,
    members: Readonly<Record<string, TSchema>>,
    customFields: readonly CustomFieldDefinition[],
  ): Chosen {
    assertHeader(header);
    const besides = schemaColumns(Type.Object({ ...members, ...customMembers(customFields) }));
    const columns =
      fields === undefined ? [...this.#usual, ...besides] : columnsNamed(fields, [...this.#all, ...besides]);
    const labels = new Map(customFields.map((field) => [memberName(field), field.label]));
    return {
      references: this.#references.filter(({ base }) => columns.some(({ path }) => path[0] === base)),
      columns: (language) =>
        header === 'names'
          ? columns
          : withTitles(columns, { all: this.#all, references: this.#references }, language, labels),
    };
  }
}

/**
 * Checks the parameter `header`. It has no effect on JSON and is accepted there: generated clients send what has a default.
 * @throws ServiceError invalid_parameter
 */
export function assertHeader(header: string | undefined): void {
  if (header !== undefined && !HEADERS.includes(header))
    throw new ServiceError('invalid_parameter', 'header must be labels or names');
}
