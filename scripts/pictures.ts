/** A program: `npm run pictures` draws the README's pictures in `media/pictures` again, in the real editor. */
import { runPlaywright } from "../test/host/checks.ts";

const { failed } = await runPlaywright("pictures", false);
process.exitCode = failed > 0 ? 1 : 0;
