/** A program that opens every chat in the folder of its argument, as a damaged one is repaired. It prints a line before and one after. */
import { systemClock } from "../../src/common/async.ts";
import { openEveryChat } from "./openEveryChat.ts";

const [folder = ""] = process.argv.slice(2);
process.stdout.write("begins\n");
await openEveryChat(folder, systemClock);
process.stdout.write("done\n");
