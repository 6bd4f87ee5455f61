/** The columns of a list exported as a file, and their titles: the parameters `fields` and `header`. */
import { type TSchema, Type } from 'typebox';
import { ServiceError } from '../domain/errors.ts';
import type { Language } from '../domain/locale/formats.ts';
import type { CustomFieldDefinition } from '../services/custom-fields/definitions.ts';
import { customMembers } from '../services/custom-fields/list-fields.ts';
import { memberName } from '../services/custom-fields/rows.ts';
import { allColumns, columnsNamed, defaultColumns, withTitles } from '../services/exports/choose-columns.ts';
import { type Column, columnsOf } from '../services/exports/columns.ts';
import { type Reference, referencesIn } from '../services/exports/references.ts';
import { choice, text } from '../services/validation/schemas.ts';

/** A list's declaration of its columns. */
export interface DeclaredColumns {
  /** The schema of a row. */
  readonly row: TSchema;
  /** Columns that are useless in an export. */
  readonly hidden?: readonly string[];
  /** Ids without which an export would not say what its rows are about. */
  readonly ids?: readonly string[];
  /** Tables of id members whose names do not tell. */
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

  /** The route's parameters. */
  parameters(hasCustomFields: boolean): Record<string, TSchema> {
    const names = [...this.#all.map(({ name }) => name), ...(hasCustomFields ? ['custom_<field_name>'] : [])];
    return {
      fields: text({
        description: `Columns of csv and excel in order, comma-separated: ${names.join(', ')}. By default codes in place of ids`,
      }),
      header: choice(HEADERS, {
        default: 'labels',
        description: "Column titles: labels in the company's language, or names of members",
      }),
    };
  }

  /** @throws ServiceError invalid_parameter when a page of JSON is requested */
  assertNotJson({ fields, header }: RequestedColumns): void {
    for (const [name, value] of Object.entries({ fields, header })) {
      if (value !== undefined)
        throw new ServiceError('invalid_parameter', `${name} is allowed only with format=csv and format=excel`);
    }
  }

  /**
   * The requested columns, or the default ones.
   * @param members further members of the rows
   * @throws ServiceError invalid_parameter
   */
  select(
    { fields, header = 'labels' }: RequestedColumns,
    members: Readonly<Record<string, TSchema>>,
    customFields: readonly CustomFieldDefinition[],
  ): Chosen {
    if (!HEADERS.includes(header)) throw new ServiceError('invalid_parameter', 'header must be labels or names');
    const besides = columnsOf(Type.Object({ ...members, ...customMembers(customFields) }));
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
