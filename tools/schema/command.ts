// `npm run schema`: writes the schema that the plugin serves. A test fails if it differs from the tables.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { packageSchema } from './schema';

const file = path.join(__dirname, '..', '..', 'provider', 'schemas', 'pulumi-schema.json');
writeFileSync(file, `${JSON.stringify(packageSchema(), undefined, 2)}\n`);
