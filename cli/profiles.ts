/** Profiles: services and accounts that a person works with, kept in their home, readable by them alone. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Credentials } from '../clients/typescript/src/session.ts';
import { UsageError } from './exit.ts';

/** A service with the credentials for it; never a password. */
export interface Profile {
  readonly url: string;
  /** The company to work in, if it is not the first of the account. */
  readonly tenantId?: string;
  readonly credentials: Exclude<Credentials, { readonly password: string }>;
}

interface Kept {
  readonly current: string | null;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const NAME = /^[\w.-]{1,60}$/;

/** The file, in $XDG_CONFIG_HOME or ~/.config. */
export function profilesPath(env: NodeJS.ProcessEnv): string {
  return join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'bms', 'profiles.json');
}

export class Profiles {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** All names, the current one first. */
  names(): string[] {
    const { current, profiles } = this.#read();
    const others = Object.keys(profiles).filter((name) => name !== current);
    return current === null ? others : [current, ...others.sort()];
  }

  /** @param name of a profile; undefined for the current one @throws UsageError */
  find(name: string | undefined): { readonly name: string; readonly profile: Profile } {
    const { current, profiles } = this.#read();
    const chosen = name ?? current ?? undefined;
    const profile = chosen === undefined || !Object.hasOwn(profiles, chosen) ? undefined : profiles[chosen];
    if (chosen === undefined || profile === undefined) {
      throw new UsageError(
        name === undefined
          ? 'Nobody is logged in: bms login'
          : `There is no profile ${name}: bms login --profile ${name}`,
      );
    }
    return { name: chosen, profile };
  }

  /** Keeps a profile; the newest is the current one unless it only has new tokens. @throws UsageError */
  keep(name: string, profile: Profile, { current = true } = {}): void {
    if (!NAME.test(name))
      throw new UsageError('The name of a profile must have letters, digits, dots and hyphens only');
    const kept = this.#read();
    this.#write({
      current: current ? name : kept.current,
      profiles: { ...kept.profiles, [name]: profile },
    });
  }

  /** Makes a profile the current one. @throws UsageError */
  use(name: string): void {
    this.find(name);
    this.#write({ ...this.#read(), current: name });
  }

  /** Forgets a profile. */
  remove(name: string): void {
    const { current, profiles } = this.#read();
    const { [name]: _, ...rest } = profiles;
    this.#write({ current: current === name ? (Object.keys(rest)[0] ?? null) : current, profiles: rest });
  }

  #read(): Kept {
    try {
      return JSON.parse(readFileSync(this.#path, 'utf8')) as Kept;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { current: null, profiles: {} };
      throw new UsageError(`${this.#path} cannot be read: ${(error as Error).message}`);
    }
  }

  /** Whole or not at all: another bms may read it meanwhile. */
  #write(kept: Kept): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${process.pid}`;
    writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, this.#path);
  }
}
