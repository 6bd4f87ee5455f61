/** Pages of reports that may have many rows. */
import { type TSchema, Type } from 'typebox';
import { MAX_LIMIT, MAX_PAGE } from '../../../db/queries/list.ts';
import type { Pagination } from '../../../db/queries/run-list.ts';
import { integer, PAGINATION } from '../../platform/validation/schemas.ts';

export { PAGINATION };

/** The requested rows. */
export interface Page {
  /** From 1. */
  readonly number: number;
  readonly limit: number;
  /** Number of rows before the page. */
  readonly offset: number;
}

/** The parameters of a paged report. */
export const PAGING: Readonly<Record<string, TSchema>> = {
  page: Type.Optional(integer({ minimum: 1, maximum: MAX_PAGE, default: 1 })),
  limit: Type.Optional(integer({ minimum: 1, maximum: MAX_LIMIT, default: MAX_LIMIT })),
};

/** Reads the page from the parameters. */
export function requestedPage({
  page = 1,
  limit = MAX_LIMIT,
}: {
  readonly page?: number;
  readonly limit?: number;
}): Page {
  return { number: page, limit, offset: (page - 1) * limit };
}

/** Builds the pagination of an answer. @param page null for a file, which has all rows */
export function pagination(page: Page | null, total: number): Pagination {
  const { number, limit, offset } = page ?? { number: 1, limit: MAX_LIMIT, offset: 0 };
  return { total, page: number, per_page: limit, has_more: offset + limit < total };
}
