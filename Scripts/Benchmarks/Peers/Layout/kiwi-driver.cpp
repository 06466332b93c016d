// Runs a constraint program through kiwi and prints the microseconds of each phase, a line each: "name microseconds".
// With a phase's number, that phase runs inside counted_phase, for a counter of instructions, and those after it not.
// usage: kiwi-driver FILE [PHASE]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <kiwi/kiwi.h>

enum class Kind { add, remove, constant, edit, suggest, read };

struct Step {
    Kind kind;
    int index = 0;
    double value = 0;
};

struct Phase {
    std::string name;
    std::vector<Step> steps;
};

struct Run {
    kiwi::Solver solver;
    std::vector<kiwi::Variable> variables;
    std::vector<kiwi::Constraint> constraints;
    std::vector<double> offsets;
    std::vector<double> values;

    void phase(const Phase& phase) {
        for (auto& step : phase.steps) {
            switch (step.kind) {
            case Kind::add: solver.addConstraint(constraints[step.index]); break;
            case Kind::remove: solver.removeConstraint(constraints[step.index]); break;
            case Kind::constant: {
                // A constraint of kiwi's does not change: another takes its place.
                auto& present = constraints[step.index];
                kiwi::Constraint other(
                    kiwi::Expression(present.expression().terms(), -step.value), present.op(), present.strength());
                solver.removeConstraint(present);
                present = other;
                solver.addConstraint(present);
                break;
            }
            case Kind::edit: solver.addEditVariable(variables[step.index], step.value); break;
            case Kind::suggest: solver.suggestValue(variables[step.index], step.value); break;
            case Kind::read:
                // kiwi does not tell which variables changed, so that its user looks at all of them.
                solver.updateVariables();
                for (std::size_t i = 0; i < variables.size(); ++i) values[i] = variables[i].value();
                break;
            }
        }
    }
};

__attribute__((noinline)) void counted_phase(Run& run, const Phase& phase) { run.phase(phase); }

int main(int count, char** arguments) {
    if (count < 2) return 2;
    const int counted = count > 2 ? std::atoi(arguments[2]) : -1;
    std::ifstream file(arguments[1]);
    std::string word;
    Run run;
    std::vector<Phase> phases;
    while (file >> word) {
        if (word == "vars") {
            int total;
            file >> total;
            for (int i = 0; i < total; ++i) run.variables.emplace_back(std::to_string(i));
            run.values.resize(total);
        } else if (word == "constraint") {
            int relation, terms;
            double strength, constant;
            file >> relation >> strength >> constant >> terms;
            std::vector<kiwi::Term> sum;
            for (int i = 0; i < terms; ++i) {
                int variable;
                double coefficient;
                file >> variable >> coefficient;
                sum.emplace_back(run.variables[variable], coefficient);
            }
            kiwi::Expression expression(sum, -constant);
            auto op = relation == 0 ? kiwi::OP_EQ : relation == 1 ? kiwi::OP_LE : kiwi::OP_GE;
            run.constraints.emplace_back(expression, op, strength == 0 ? kiwi::strength::required : strength);
        } else if (word == "phase") {
            phases.emplace_back();
            file >> phases.back().name;
        } else {
            Step step;
            step.kind = word == "add"        ? Kind::add
                        : word == "remove"   ? Kind::remove
                        : word == "constant" ? Kind::constant
                        : word == "edit"     ? Kind::edit
                        : word == "suggest"  ? Kind::suggest
                                             : Kind::read;
            if (step.kind != Kind::read) file >> step.index;
            if (step.kind == Kind::edit || step.kind == Kind::suggest || step.kind == Kind::constant) file >> step.value;
            phases.back().steps.push_back(step);
        }
    }
    for (int index = 0; index < (int)phases.size(); ++index) {
        if (counted >= 0 && index > counted) break;
        auto start = std::chrono::steady_clock::now();
        if (index == counted) counted_phase(run, phases[index]);
        else run.phase(phases[index]);
        auto end = std::chrono::steady_clock::now();
        double micros = std::chrono::duration<double, std::micro>(end - start).count();
        std::printf("%s %.3f\n", phases[index].name.c_str(), micros);
    }
    double sum = 0;
    for (double value : run.values) sum += value;
    std::printf("sum %.6f\n", sum);
    return 0;
}
