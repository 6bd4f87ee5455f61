/** Which columns a list has as a file, and what they are called: the parameters `fields` and `header`. */
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

/** What a list declares of its columns. */
export interface DeclaredColumns {
  /** The schema of a row. */
  readonly row: TSchema;
  /** Columns that say nothing in an export. */
  readonly hidden?: readonly string[];
  /** Columns with ids without which an export would not say what its rows are about. */
  readonly ids?: readonly string[];
  /** Tables that members with ids refer to, where their names do not tell. */
  readonly references?: Readonly<Record<string, string | undefined>>;
}

/** What a request asks of them. */
export interface AskedColumns {
  readonly fields?: string | undefined;
  readonly header?: string | undefined;
}

interface Chosen {
  /** What is to be shown with code and name. */
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

  /** The parameters of the route. */
  parameters(hasCustomFields: boolean): Record<string, TSchema> {
    const names = [...this.#all.map(({ name }) => name), ...(hasCustomFields ? ['custom_<field_name>'] : [])];
    return {
      fields: text({
        description: `Columns of csv and excel in their order, comma-separated: ${names.join(', ')}. Without it there are codes in place of ids`,
      }),
      header: choice(HEADERS, {
        default: 'labels',
        description: "What the columns are called: labels in the company's language, or the names of members",
      }),
    };
  }

  /** @throws ServiceError invalid_parameter where a page of JSON is asked for */
  refuseForJson({ fields, header }: AskedColumns): void {
    for (const [name, value] of Object.entries({ fields, header })) {
      if (value !== undefined)
        throw new ServiceError('invalid_parameter', `${name} is for format=csv and format=excel`);
    }
  }

  /**
   * The columns that are asked for, or the usual ones.
   * @param members that rows have besides
   * @throws ServiceError invalid_parameter
   */
  chosen(
    { fields, header = 'labels' }: AskedColumns,
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
