import { expect, test } from "vitest";
import { attachmentFailure } from "../../../../src/attachments/contract/failures.ts";
import {
	ServiceError,
	type ServiceErrorKind,
} from "../../../../src/client/contract/serviceError.ts";

/** Every kind of failure a service can show; leaving one out does not compile. */
const kinds: Readonly<Record<ServiceErrorKind, true>> = {
	refused: true,
	unknownHost: true,
	tls: true,
	unreachable: true,
	proxySignIn: true,
	redirected: true,
	notReady: true,
	invalidRequest: true,
	connectionLost: true,
	noAnswer: true,
	serverFailed: true,
	busy: true,
	webPage: true,
	badRequest: true,
	unauthorized: true,
	forbidden: true,
	notFound: true,
	conflict: true,
	tooLarge: true,
	rateLimited: true,
	rejected: true,
	empty: true,
	unreadable: true,
	answerTooLarge: true,
	noText: true,
	interrupted: true,
	endedEarly: true,
	stalled: true,
};

test.each(Object.keys(kinds) as ServiceErrorKind[])(
	"%s is a whole sentence in plain words, with the service named in it",
	kind => {
		for (const host of ["files.example", undefined]) {
			const { sentence } = attachmentFailure(
				new ServiceError(kind, { charge: "refused", ...(host ? { host } : {}) }),
			);
			expect(sentence).toMatch(/^[A-Z].*\.$/);
			expect(sentence).not.toMatch(/[{}]|undefined|\S .*\bThe service/);
		}
	},
);
