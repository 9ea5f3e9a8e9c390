/** Returns an FNV-1a hash of UTF-16 units. @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
export function hashOf(text: string): number {
	let hash = 0x81_1c_9d_c5;
	for (let index = 0; index < text.length; index += 1) {
		hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
	}
	// The final steps of MurmurHash3. Without them, texts that differ only in the last letter get similar hues.
	hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
	return (hash ^ (hash >>> 16)) >>> 0;
}
