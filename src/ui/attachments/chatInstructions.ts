import { isAbsolute, join } from "node:path";
import * as l10n from "@vscode/l10n";
import * as vscode from "vscode";
import {
	type InstructionFile,
	maxInstructionFiles,
	type ProjectInstruction,
	readProjectInstructions,
} from "../../attachments/files/projectInstructions.ts";
import {
	isTyped,
	maxSkills,
	skillFolder,
	readSkills,
	type Skill,
	skillInstructions,
} from "../../attachments/files/skills.ts";
import { leftOutPaths } from "../base/excludedPaths.ts";
import { assertNever } from "../../common/errors.ts";
import { type Clock, Coalescer } from "../../common/async.ts";
import { Disposable, Emitter, type Event } from "../../common/disposable.ts";
import { decodeText } from "../../editor/documents.ts";
import { localFolders } from "../../editor/workspaceFiles.ts";
import type { ComposerView } from "../../shared/chat.ts";
import { formatCount } from "../../shared/locale.ts";
import type { ChatSettings } from "../composer/chatSettings.ts";

type InstructionSettings = Pick<ChatSettings, "get" | "defaults" | "onDidChange">;

/** Delay between a change of the workspace and searching it, in milliseconds. */
const rereadMs = 300;

/** The workspace's instructions and skills for the next question; none in an untrusted workspace. */
export class ProjectInstructions extends Disposable {
	private readonly settings: InstructionSettings;
	private readonly changed = this.register(new Emitter<void>());
	private readonly look;
	private files: readonly InstructionFile[] = [];
	private found: readonly Skill[] = [];
	private attached: readonly string[] = [];
	private reading: Promise<void> = Promise.resolve();
	readonly onDidChange: Event<void> = this.changed.event;

	constructor(settings: InstructionSettings, clock: Clock) {
		super();
		this.settings = settings;
		this.look = this.register(new Coalescer(rereadMs, () => void this.refresh(), clock));
		const schedule = (): void => this.look.schedule();
		// The editor can miss a file in a folder that was created just before.
		const aboveFiles = ".agents,.claude,.github,skills,skills/**";
		const names = `**/{AGENTS.md,CLAUDE.md,copilot-instructions.md,SKILL.md,skill.md,${aboveFiles}}`;
		const watcher = this.register(vscode.workspace.createFileSystemWatcher(names));
		this.register(watcher.onDidCreate(schedule));
		this.register(watcher.onDidChange(schedule));
		this.register(watcher.onDidDelete(schedule));
		this.register(vscode.workspace.onDidGrantWorkspaceTrust(schedule));
		this.register(vscode.workspace.onDidChangeWorkspaceFolders(schedule));
		this.register(vscode.window.onDidChangeActiveTextEditor(schedule));
		this.register(settings.onDidChange(schedule));
		schedule();
	}

	/** Sets the displayed paths of the attachments. */
	follow(attached: readonly string[]): void {
		if (attached.join("\n") !== this.attached.join("\n")) {
			this.attached = attached;
			this.look.schedule();
		}
	}

	/** Reads the files again. Resolves when the result is at least as recent as the call. Never rejects. */
	refresh(): Promise<void> {
		// Serialized, so that an earlier read can't overwrite a later one.
		this.reading = this.reading.then(async () => {
			const [files, skills] = this.isWanted()
				? await Promise.all([
						readProjectInstructions(folders(), this.near(), decodeText, leftOutPaths),
						readSkills(folders(), decodeText, leftOutPaths),
					])
				: [[], []];
			if (JSON.stringify([files, skills]) !== JSON.stringify([this.files, this.found])) {
				this.files = files;
				this.found = skills;
				this.changed.fire();
			}
		});
		return this.reading;
	}

	sent(): readonly ProjectInstruction[] {
		return this.settings.get("chat.projectInstructions")
			? [
					...this.files
						.filter(({ refused }) => refused === undefined)
						.map(({ name, text }) => ({ name, text })),
					...skillInstructions(this.found),
				]
			: [];
	}

	/** Returns the skills that the user can choose by name. */
	skills(): readonly Skill[] {
		return this.found.filter(
			skill => isTyped(skill) && (skill.refused === undefined || skill.refused === "tooMany"),
		);
	}

	view(): Pick<ComposerView, "instructions"> {
		const { files, found } = this;
		if (files.length + found.length === 0) {
			return {};
		}
		const lists = skillInstructions(found).map(({ text }) => Buffer.byteLength(text));
		const places = Map.groupBy(found, skillFolder);
		return {
			instructions: {
				names: [
					...files.map(({ name }) => name),
					...[...places].map(([place, held]) => `${place} (${held.length})`),
				],
				size: [...files.map(({ size }) => size), ...lists].reduce((sum, size) => sum + size, 0),
				isSent: this.settings.get("chat.projectInstructions"),
				note: [...notesOf(files), ...notesOf(found)].join(" ") || null,
			},
		};
	}

	/** Opens one of the files in an editor. Asks which if there are several. */
	async open(): Promise<void> {
		const items = [
			...this.files.map(({ name, path }) => ({ label: name, path })),
			...this.found.map(({ name, path, text }) => ({ label: name, path, detail: text })),
		];
		const chosen =
			items.length < 2
				? items[0]
				: await vscode.window.showQuickPick(items, { title: l10n.t("Project instructions") });
		if (chosen) {
			await vscode.window.showTextDocument(vscode.Uri.file(chosen.path));
		}
	}

	/** Checks the setting rather than the chat's option: a chat that disabled the instructions still offers them. */
	private isWanted(): boolean {
		return vscode.workspace.isTrusted && this.settings.defaults.get("chat.projectInstructions");
	}

	private near(): readonly string[] {
		const { uri } = vscode.window.activeTextEditor?.document ?? {};
		const attached = this.attached.flatMap(path =>
			isAbsolute(path)
				? [path]
				: folders().flatMap(folder => [join(folder, path), join(folder, "..", path)]),
		);
		return [...(uri?.scheme === "file" ? [uri.fsPath] : []), ...attached];
	}
}

function folders(): readonly string[] {
	return localFolders().map(({ uri }) => uri.fsPath);
}

function notesOf(files: readonly (InstructionFile | Skill)[]): readonly string[] {
	const beyond = files.filter(({ refused }) => refused === "tooMany");
	const names = beyond.map(file => ("skill" in file ? file.skill : file.name)).join(", ");
	const isOfSkills = beyond.some(file => "skill" in file);
	return [
		...files.flatMap(file => noteOf(file) ?? []),
		...(names === ""
			? []
			: [
					l10n.t(
						"Not sent, because only {0} are: {1}.",
						isOfSkills ? maxSkills : maxInstructionFiles,
						names,
					),
				]),
	];
}

function noteOf({ name, refused, isCut, text, hidden }: InstructionFile): string | null {
	switch (refused) {
		case "tooMany":
			return null;
		case undefined:
			return isCut
				? l10n.t("Only the first {0} characters will be sent.", formatCount(text.length))
				: null;
		case "secret":
			return l10n.t("{0} is not sent: it may contain secrets.", name);
		case "outside":
			return l10n.t("{0} is not sent: it is outside the workspace.", name);
		case "otherName":
			return l10n.t("{0} is not sent: it has another name on disk.", name);
		case "hidden":
			return l10n.t(
				"{0} is not sent: it has {1} hidden characters, the first in line {2}.",
				name,
				hidden?.count ?? 0,
				hidden?.line ?? 1,
			);
		case "ignored":
			return l10n.t("{0} is not sent: Git ignores it, or your settings exclude it.", name);
		case "unreadable":
			return l10n.t("{0} is not sent: it can't be read as text.", name);
		default:
			return assertNever(refused);
	}
}
