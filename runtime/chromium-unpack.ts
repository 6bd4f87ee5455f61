/** Unpacks the Chromium of the npm package into TMPDIR: a separate process, since the package can be told the place only by TMPDIR. */
import chromium from '@sparticuz/chromium';

await chromium.executablePath();
