/** A program that checks the history in the folder of its argument. It prints a line before and one after. */
import { ChatLibrary } from "../../src/chat/library/chatLibrary.ts";
import { systemClock } from "../../src/common/async.ts";

const [folder = ""] = process.argv.slice(2);
const library = new ChatLibrary({ folder, clock: systemClock });
process.stdout.write("begins\n");
await library.verify();
process.stdout.write("done\n");
library.dispose();
