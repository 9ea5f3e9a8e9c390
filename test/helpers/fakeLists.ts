/** A row of a list, as far as tests look at it. */
interface Item {
	readonly label: string;
	readonly detail?: string;
	readonly description?: string;
	readonly kind?: number;
}

/** A list whose rows are there, and what a user can do with it. */
interface ShownList {
	accept(label: string): void;
	/** Presses the button of a row. */
	press(label: string): void;
	leave(): void;
}

/** Quick picks of VS Code without an editor: whenever rows came, the next deed is done, or the list is left. */
export class FakeLists {
	readonly deeds: ((list: ShownList) => void)[] = [];
	/** The rows each time they came. */
	readonly shown: (readonly Item[])[] = [];

	/** Opens one, as `createQuickPick` does. */
	open(): object {
		const { deeds, shown } = this;
		const listeners: Record<string, (event: unknown) => void> = {};
		const on = (name: string) => (listener: (event: unknown) => void) => {
			listeners[name] = listener;
		};
		const selected: Item[] = [];
		const hide = (): void => listeners["hide"]?.(undefined);
		const rowOf = (items: readonly Item[], label: string): Item => {
			const row = items.find(item => item.label === label);
			if (!row) {
				throw new Error(`No row ${label}`);
			}
			return row;
		};
		return {
			busy: false,
			selectedItems: selected,
			onDidAccept: on("accept"),
			onDidTriggerItemButton: on("button"),
			onDidHide: on("hide"),
			show: () => undefined,
			dispose: () => undefined,
			hide,
			set items(items: readonly Item[]) {
				shown.push(items);
				const deed = deeds.shift();
				queueMicrotask(() => {
					const list: ShownList = {
						accept: label => {
							selected.splice(0, 1, rowOf(items, label));
							listeners["accept"]?.(undefined);
						},
						press: label => listeners["button"]?.({ item: rowOf(items, label) }),
						leave: hide,
					};
					(deed ?? (({ leave }) => leave()))(list);
				});
			},
		};
	}
}
