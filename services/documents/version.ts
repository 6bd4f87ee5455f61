import { staleVersion } from '../../db/write.ts';

/** @throws ServiceError stale_version when the caller saw (If-Match) another version than the present one */
export function assertVersion(version: number, ifMatch: number | null): void {
  if (ifMatch !== null && ifMatch !== version) throw staleVersion();
}
