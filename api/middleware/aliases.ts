/** Other names of paths, in one style, for those whose names in the interface differ from it. */
import type { Middleware } from 'koa';

/** Paths by alias. What is below them has the alias, too; answers name the paths themselves. */
export const PATH_ALIASES: Readonly<Record<string, string>> = {
  '/api/partner-groups': '/api/partnerGroups',
  '/api/price-lists': '/api/pricelists',
  '/api/units-of-measure': '/api/uom',
  '/api/sales/orders': '/api/sales',
  '/api/purchases/orders': '/api/purchases',
};

const ALIASES = Object.entries(PATH_ALIASES);

/** The path that a path, or what it is below, is an alias of; the path itself if it is none. */
export function withoutAlias(path: string): string {
  const [alias, target] = ALIASES.find(([one]) => path === one || path.startsWith(`${one}/`)) ?? [];
  return alias === undefined ? path : `${target}${path.slice(alias.length)}`;
}

/** Takes an alias for the path that it stands for. */
export function aliases(): Middleware {
  return (http, next) => {
    http.path = withoutAlias(http.path);
    return next();
  };
}
