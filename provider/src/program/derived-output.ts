import type * as pulumi from './sdk';

/**
 * Lets programs read an output in another form than the engine holds: for previews, state and other languages it is laid out in
 * lines. The SDK assigns what the engine answers, and `derive` turns it into what a program reads.
 */
export function deriveOutput<T>(
  resource: { readonly prototype: object },
  name: string,
  derive: (held: pulumi.Output<T>) => pulumi.Output<T>,
): void {
  const derived = new WeakMap<object, pulumi.Output<T>>();
  Object.defineProperty(resource.prototype, name, {
    get(this: object) {
      return derived.get(this);
    },
    set(this: object, held: pulumi.Output<T>) {
      derived.set(this, derive(held));
    },
  });
}
