/** Routes that do something with a record, and answer with it as it is then. */
import { type TSchema, Type } from 'typebox';
import type { Context } from '../db/context.ts';
import type { Db } from '../db/database.ts';
import { dataBody, type Input, uuid } from '../services/platform/validation/schemas.ts';
import { ok } from './respond.ts';
import { defineRoute, type Route } from './route.ts';

interface ActedOn extends Pick<Route, 'tag' | 'access' | 'problems'> {
  readonly answer: TSchema;
  /** Reads the record once it has changed. */
  read(db: Db, id: string): Promise<unknown>;
}

type Act<Body> = (trx: Db, ctx: Context, id: string, body: Body, ifMatch: number | null) => Promise<unknown>;

interface Texts<Body> extends Readonly<Record<'path' | 'id' | 'summary' | 'description', string>> {
  readonly body: Body;
  readonly bodyOptional?: boolean;
}

/** Makes the routes of the acts on records of a kind, each of which changes one in a transaction. */
export function actRoutes({ answer, read, ...shared }: ActedOn) {
  return <Body extends TSchema>(does: Act<Input<Body>>, texts: Texts<Body>): Route =>
    defineRoute({
      ...shared,
      ...texts,
      method: 'POST',
      params: Type.Object({ id: uuid() }),
      responses: { 200: dataBody(answer) },
      async handler({ db, ctx, params, body, ifMatch }) {
        await does(db, ctx, params.id, (body ?? {}) as Input<Body>, ifMatch);
        return ok(await read(db, params.id));
      },
    });
}
