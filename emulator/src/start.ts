import { controlPlane } from './control/control-plane';
import { Emulator } from './emulator';
import type { EmulatorOptions } from './emulator-options';

/** Starts an emulator and resolves when it listens. */
export async function start(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = new Emulator(options);
  try {
    await emulator.listen(
      options.port ?? 0,
      options.host ?? '127.0.0.1',
      options.control === true ? controlPlane : undefined,
    );
  } catch (error) {
    await emulator.close();
    throw error;
  }
  return emulator;
}
