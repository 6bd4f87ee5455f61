/** Unpacks the Chromium of the npm package into TMPDIR: a process of its own, since the package knows no other way to say where. */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
