/**
 * Statements whose rows are made faster than by the driver: it makes each from nothing, member by member, and has the server describe the
 * columns of a prepared statement each time. They cannot change while it is prepared: PostgreSQL would refuse to run it.
 */
import pg from 'pg';
import type { Statement } from './scoped-connection.ts';

/** The columns of a result, and a row with their names: a copy of it is made at once. */
interface Shape {
  readonly names: readonly string[];
  /** By column; null where the text is the value. */
  readonly parsers: readonly (((text: string) => unknown) | null)[];
  readonly template: Record<string, unknown>;
}

interface Column {
  readonly name: string;
  readonly dataTypeID: number;
}

/** The driver's connection below a client, as far as its statements use it. */
interface Connection {
  /** Texts of prepared statements, by name. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  describe(): void;
}

/** The driver's part of a statement that this file changes. */
interface DriverQuery {
  prepare(connection: Connection): void;
}
const driverQuery = pg.Query.prototype as unknown as DriverQuery;

const UUID = 2950;
const NO_COLUMNS: Shape = { names: [], parsers: [], template: {} };
/** Results of prepared statements by connection and name. */
const shapes = new WeakMap<Connection, Map<string, Shape>>();

/** Runs a single statement. @returns its rows */
export function rowsOf<Row>(client: pg.PoolClient, statement: Statement): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new RowsQuery(statement);
    query.callback = (error) => (error ? reject(error) : resolve(query.made as Row[]));
    client.query(query);
  });
}

class RowsQuery extends pg.Query implements DriverQuery {
  declare callback: (error: Error | null) => void;
  /** The driver reports it in place of the result. */
  declare _canceledDueToError: unknown;
  /** Not `rows`, which is an option of the driver. */
  readonly made: unknown[] = [];
  readonly #name: string | undefined;
  #shape = NO_COLUMNS;
  #learnt: Map<string, Shape> | null = null;

  constructor(statement: Statement) {
    super(statement as pg.QueryConfig);
    this.#name = statement.name;
  }

  /** Also without values, where the driver would not prepare it. */
  requiresPreparation(): boolean {
    return true;
  }

  prepare(connection: Connection): void {
    const learnt = this.#name === undefined ? null : shapesOn(connection);
    const known = learnt?.get(this.#name ?? '');
    this.#learnt = learnt;
    if (known !== undefined) this.#shape = known;
    driverQuery.prepare.call(this, known === undefined ? connection : silent(connection));
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.#shape = shapeOf(fields);
    this.#learnt?.set(this.#name ?? '', this.#shape);
  }

  handleDataRow({ fields: values }: { readonly fields: readonly (string | null)[] }): void {
    const { names, parsers, template } = this.#shape;
    const row = { ...template };
    try {
      for (let index = 0; index < names.length; index++) {
        const value = values[index] as string | null;
        const parser = parsers[index];
        row[names[index] as string] = value === null || !parser ? value : parser(value);
      }
      this.made.push(row);
    } catch (error) {
      this._canceledDueToError = error;
    }
  }
}

function shapesOn(connection: Connection): Map<string, Shape> {
  const known = shapes.get(connection) ?? new Map<string, Shape>();
  shapes.set(connection, known);
  return known;
}

function shapeOf(columns: readonly Column[]): Shape {
  const names = columns.map(({ name }) => name);
  return {
    names,
    parsers: columns.map(({ dataTypeID }) => parserOf(dataTypeID)),
    // Parsed, so that copies share one hidden class.
    template: JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:null`).join(',')}}`) as Shape['template'],
  };
}

function parserOf(type: number): ((text: string) => unknown) | null {
  const isText = type === pg.types.builtins.TEXT || type === pg.types.builtins.VARCHAR || type === UUID;
  return isText ? null : (pg.types.getTypeParser(type, 'text') as (text: string) => unknown);
}

const silenced = new WeakMap<Connection, Connection>();

/** The connection without asking for descriptions. */
function silent(connection: Connection): Connection {
  const known = silenced.get(connection);
  if (known !== undefined) return known;
  const one = Object.create(connection, { describe: { value: () => undefined } }) as Connection;
  silenced.set(connection, one);
  return one;
}
