import type { Cidr } from 'pulumi-edge-policy/internal/values/cidr';
import type { Reason } from '../access/address-verdict';
import type { SubjectKind } from '../access/subject-access';
import type { Sentence } from '../text/sentence';

export interface Subject {
  readonly kind: SubjectKind;
  readonly subject: string;
}

/** The client whose access is asked about: where it comes from, what it says it is; null is a client without the header. */
export interface Client {
  readonly network?: Cidr;
  readonly userAgent?: string | null;
}

export interface Question extends Subject, Client {}

/** The answer for a client. `partly`: some addresses of a network get in and others do not. */
export type Decision = 'let-in' | 'kept-out' | 'partly' | 'undecided' | 'not-there';

export interface Answer extends Omit<Reason, 'text'> {
  readonly decision: Decision;
  readonly because: Sentence;
  readonly parts?: readonly Cidr[];
}
