/** Arithmetic encoder of decisions with their probabilities. @see https://datatracker.ietf.org/doc/html/rfc6386#section-7 */
export class BoolEncoder {
	private bytes = new Uint8Array(16_384);
	private length = 0;
	private low = 0;
	private range = 255;
	private count = -24;

	/** Writes a decision; `probability`, 1 to 255 of 256, is that of false. */
	write(isTrue: boolean, probability: number): void {
		const split = 1 + (((this.range - 1) * probability) >> 8);
		let range = split;
		if (isTrue) {
			this.low = (this.low + split) >>> 0;
			range = this.range - split;
		}
		let shift = Math.clz32(range) - 24;
		this.range = range << shift;
		this.count += shift;
		if (this.count >= 0) {
			const offset = shift - this.count;
			if (((this.low << (offset - 1)) & 0x80_00_00_00) !== 0) {
				this.carry();
			}
			this.append((this.low >>> (24 - offset)) & 0xff);
			this.low = (this.low << offset) & 0xff_ff_ff;
			shift = this.count;
			this.count -= 8;
		}
		this.low = (this.low << shift) >>> 0;
	}

	/** Writes a number of `bits` bits, most significant first, with even probabilities. */
	writeNumber(value: number, bits: number): void {
		for (let bit = bits - 1; bit >= 0; bit -= 1) {
			this.write(((value >> bit) & 1) === 1, 128);
		}
	}

	/** Finishes the code. Nothing may be written afterwards. */
	finish(): Uint8Array {
		this.writeNumber(0, 32);
		return this.bytes.subarray(0, this.length);
	}

	private append(byte: number): void {
		if (this.length === this.bytes.length) {
			const longer = new Uint8Array(this.bytes.length * 2);
			longer.set(this.bytes);
			this.bytes = longer;
		}
		this.bytes[this.length] = byte;
		this.length += 1;
	}

	private carry(): void {
		let at = this.length - 1;
		while (at >= 0 && this.bytes[at] === 0xff) {
			this.bytes[at] = 0;
			at -= 1;
		}
		this.bytes[at] = (this.bytes[at] ?? 0) + 1;
	}
}
