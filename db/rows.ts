/**
 * Statements whose rows are built faster than by the driver, which builds them member by member (db/row-forms.ts) and has the server
 * describe the columns of a prepared statement each time. The columns cannot change while it is prepared: PostgreSQL then refuses to run
 * it, and it is prepared again under another name.
 */
import pg from 'pg';
import { hasOtherColumns } from './errors.ts';
import { type Column, type Described, described, type MakeRow, PLAIN, type RowForm, rowMaker } from './row-forms.ts';
import type { Statement } from './statement.ts';

/** The driver's connection below a client; only the members used here. */
interface Connection {
  /** Texts of prepared statements, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  describe(): void;
}

/** The members of the driver's statements that this file overrides. */
interface DriverQuery {
  prepare(connection: Connection): void;
}
const driverQuery = pg.Query.prototype as unknown as DriverQuery;

const NO_ROWS: MakeRow = () => ({});
/** Columns of prepared statements by connection and name. */
const descriptions = new WeakMap<Connection, Map<string, Described>>();

/** Runs a single statement. @returns its rows */
export function fetchRows<Row>(client: pg.PoolClient, statement: Statement): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new RowsQuery(statement);
    query.callback = (error) => {
      if (!error) return resolve(query.made as Row[]);
      if (hasOtherColumns(error)) query.outdate();
      reject(error);
    };
    client.query(query);
  });
}

/** Number of times that columns have changed, as when another process upgrades the schema; the suffix of statement names. */
let changes = 0;

class RowsQuery extends pg.Query implements DriverQuery {
  declare callback: (error: Error | null) => void;
  declare name: string | undefined;
  declare values: readonly unknown[];
  /** The driver reports this error instead of the result. */
  declare _canceledDueToError: unknown;
  /** The rows; `rows` is an option of the driver. */
  readonly made: unknown[] = [];
  readonly #form: RowForm;
  #make = NO_ROWS;
  #learnt: Map<string, Described> | null = null;
  readonly #asOf = changes;

  constructor({ name, text, values = [], form = PLAIN }: Statement) {
    super(text); // Given an object, the driver would copy it property by property.
    this.name = name === undefined ? undefined : `${name}_${changes}`;
    this.values = values;
    this.#form = form;
  }

  /** Marks the columns of all statements as outdated, because those of this one have changed. */
  outdate(): void {
    if (changes === this.#asOf) changes += 1;
  }

  /** True even without values; the driver would not prepare the statement. */
  requiresPreparation(): boolean {
    return true;
  }

  prepare(connection: Connection): void {
    const learnt = this.name === undefined ? null : descriptionsOn(connection);
    const known = learnt?.get(this.name ?? '');
    this.#learnt = learnt;
    if (known !== undefined) this.#make = rowMaker(this.#form, known);
    driverQuery.prepare.call(this, known === undefined ? connection : silent(connection));
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    const columns = described(fields);
    this.#make = rowMaker(this.#form, columns);
    this.#learnt?.set(this.name ?? '', columns);
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    try {
      this.made.push(this.#make(values));
    } catch (error) {
      this._canceledDueToError = error;
    }
  }
}

function descriptionsOn(connection: Connection): Map<string, Described> {
  const known = descriptions.get(connection) ?? new Map<string, Described>();
  descriptions.set(connection, known);
  return known;
}

const silenced = new WeakMap<Connection, Connection>();

/** The connection, but without requests for descriptions. */
function silent(connection: Connection): Connection {
  const known = silenced.get(connection);
  if (known !== undefined) return known;
  const one = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  silenced.set(connection, one);
  return one;
}
