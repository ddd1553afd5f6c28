import { tryCells } from './trials';

tryCells('https');
